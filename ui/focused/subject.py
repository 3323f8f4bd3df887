"""Pages, samples and kinds of values that focused retrieval adds to the app; see `ui.subjects` for the names."""

from evalcore.focused.document_scores import DocumentScore
from ui.address.page import Page

SAMPLE = "focused sample"
_ICON, _QUESTION = "format_ink_highlighter", "How much of the returned text was worth reading?"
_PAGE = Page("passages", "focused_retrieval", "Passages", _ICON, _QUESTION, data="passages", module="ui.focused.page")
PAGES = ((None, _PAGE),)
SAMPLES = (("sample data", SAMPLE, "manual"),)
KINDS_OF_VALUES = ((DocumentScore, "score of one document"),)
