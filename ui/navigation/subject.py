"""Pages and samples that navigation adds to the app; `ui.subjects` explains the names PAGES and SAMPLES."""

from ui.address.page import Page

SAMPLE = "navigation sample"
_QUESTION = "What is a result worth if people follow its links?"
PAGES = ((None, Page("links", "navigation", "Links", "account_tree", _QUESTION, data="navigation")),)
SAMPLES = (("focused sample", SAMPLE, "site"),)
