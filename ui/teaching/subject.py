"""Pages and routes that teaching adds to the app; `ui.subjects` explains the names PAGES and ROUTES."""

from ui.address.page import Page
from ui.teaching.classroom import routes


def _page(stem: str, name: str, icon: str, question: str) -> Page:
    return Page("learn", stem, name, icon, question, module=f"ui.teaching.{stem}.page")


PAGES = (
    (None, _page("guided_path", "Guided path", "school", "What do precision and recall measure?")),
    ("guided_path", _page("exercises", "Exercises", "quiz", "Can you answer before the figure does?")),
    (
        "exercises",
        _page("worked_examples", "Worked examples", "edit_note", "What does each measure say about a ranking?"),
    ),
    ("exercises", _page("classroom", "Class", "groups", "What does the class think?")),
    ("worked_examples", _page("papers", "The papers", "article", "Can the papers' numbers be recomputed?")),
)
ROUTES = routes.ROUTES
