"""Texts of The papers, from top to bottom."""

from evalcore.data import Collection
from evalcore.teaching.papers import Exhibit
from ui.screen.text import counted, markdown


def lacking(exhibit: Exhibit, lack: str, collection: Collection) -> str:
    return (
        f"The computation needs **{markdown(lack)}**, which {markdown(collection.title)} does not have. To recompute "
        f"the values, open {exhibit.needs} in one folder. {downloaded(exhibit)}"
    )


def downloaded(exhibit: Exhibit) -> str:
    """Return a sentence that names the command that downloads the data of an exhibit, or states that there is none."""
    return f"The command `{exhibit.fetch}` downloads the data." if exhibit.fetch else "No command downloads the data."


def reproduced(met: int, printed: int) -> str:
    rest = printed - met
    wrong = f"; {rest} {'is a misprint' if rest == 1 else 'are misprints'}" if rest else ""
    return f"**{met} of {counted(printed, 'printed value')}** match to the last digit{wrong}."


def identities(met: int, expected: int) -> str:
    return f"**{met} of {expected}** identities hold. Identities are not counted as printed values."


def other_data(exhibit: Exhibit, collection: Collection) -> str:
    return (
        f"Computed on **{markdown(collection.title)}**; the published values are from different data. To "
        f"recompute them, open {exhibit.needs}. {downloaded(exhibit)}"
    )


READING = (
    "The table counts how many printed values are reproduced, among those whose data are printed or public. "
    "Printed values for other data, and identities that no paper prints, are shown but not counted.",
    "If our value differs from the printed one, the text gives the reason: different data, or a misprint.",
    "Open CLEF eHealth 2015 or your own runs in the sidebar and see the same tables for them.",
)
