"""Opening the app without a browser: what the tests in tests/app share."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_data" / "health"


# Settings that all pages share; every other one stands in the address with its page in front.
SHARED = {"data", "on", "systems", "pins", "baseline", "present", "like", "tag", "only", "best", "ontopics", "average"}


def open_app(page: str = "understandability", **link: object) -> AppTest:
    """The app on its sample data after its first run, with parameters in its link; then on a page."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in link.items():
        app.query_params[key if key in SHARED else f"{page}.{key}"] = value
    app.run()
    return app if page == "home" else app.switch_page(f"pages/{page}.py").run()


def metric(app: AppTest, label: str) -> str:
    """The value of the metric with that label."""
    value: str = next(one.value for one in app.metric if one.label == label)
    return value


def reopened(app: AppTest, page: str) -> AppTest:
    """The address of an app, opened by somebody else."""
    fresh = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in app.query_params.items():
        fresh.query_params[key] = value
    return fresh.run().switch_page(f"pages/{page}.py").run()
