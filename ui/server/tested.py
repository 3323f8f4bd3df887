"""The version of Streamlit with which the app is tested, named in an error if a different version lacks something."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version

STREAMLIT = "1.67.0"  # as in requirements.lock; tests/app/test_streamlit_inside.py compares them


@contextmanager
def in_words() -> Iterator[None]:
    """While the context is open, exit with a sentence instead of a traceback if a name is missing in Streamlit."""
    try:
        yield
    except (ImportError, AttributeError) as error:
        of = error.name if isinstance(error, ImportError) else _module_of(error.obj)
        if not (of or "").startswith("streamlit"):
            raise
        sys.exit(
            f"The app cannot start with Streamlit {version('streamlit')}: {error}.\n"
            f"It is tested with Streamlit {STREAMLIT}. To install that version: pip install streamlit=={STREAMLIT}"
        )


def _module_of(thing: object) -> str:
    """Return the name of the module that defines a thing; for a module, its own name."""
    return str(getattr(thing, "__module__", "") or getattr(thing, "__name__", ""))
