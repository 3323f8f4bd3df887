"""What focused retrieval adds to the app; `ui.subjects` says what each name means."""

from evalcore.focused.document_scores import DocumentScore
from ui.address.page import OTHER, Page

SAMPLE = "focused sample"
_ICON, _QUESTION = "format_ink_highlighter", "How much of what was returned was worth reading?"
PAGES = ((OTHER, None, Page("focused_retrieval", "Focused retrieval", _ICON, _QUESTION, data="passages")),)
SAMPLES = (("sample data", SAMPLE, "manual"),)
KINDS_OF_VALUES = ((DocumentScore, "score of one document"),)
