"""Texts of the frame around every page: a link without its files, an unfinished page, the boxes below."""

from ui.screen.text import markdown


def needs_files(page: str) -> str:
    return f"{page} needs the files of this link, which are not open here. Open them to see the page."


def files_missing(fingerprint: str) -> str:
    data = f"Their data had the fingerprint {markdown(fingerprint)}. " if fingerprint else ""
    return (
        "This link needs uploaded files that this browser does not have: they were opened in another browser, "
        f"were unused for too long, or the server was restarted. {data}Open the same files again to see what the link "
        "shows, or choose another collection in the sidebar."
    )


def other_data(title: str, described: bool, made_on: str, here: str) -> str:
    or_described = " or with a different description of them" if described else ""
    return (
        f"This link was made with data other than the open {markdown(title)}{or_described} (fingerprint "
        f"{markdown(made_on)}, here {here}), so the figures differ from what its sender saw."
    )


STOPPED = "Stopped before this page was complete. Continue"
CITE = "For a methods section: versions, data, measures, settings and the link of this view."
RESET = "Return to the default settings of this page; the browser's Back undoes it"
