"""What what is for learning adds to the app; `ui.subjects` says what each name means."""

from ui.address.page import LEARN, Page

PAGES = (
    (LEARN, None, Page("learn", "Contents", "toc", "What can I learn here, and where?")),
    (LEARN, "learn", Page("guided_path", "Guided path", "school", "What does a measure believe about its reader?")),
    (LEARN, "guided_path", Page("exercises", "Exercises", "quiz", "Can you say it before the figure does?")),
    (
        LEARN,
        "exercises",
        Page("worked_examples", "Worked examples", "edit_note", "What does each measure say of three documents?"),
    ),
    (LEARN, "measures", Page("papers", "The papers", "article", "Can the papers' numbers be recomputed?")),
)
