"""Build settings that pyproject.toml cannot express: the wheel also contains the app and samples (`evalcore/_app`).

In a checkout, and therefore in the source archive, the app is at the top level. A package of its own keeps the names
`app`, `pages` and `ui` out of users' site-packages; the modules can import each other because Streamlit puts the folder
of the script that it runs on the path.
"""

from setuptools import find_namespace_packages, find_packages, setup

APP = "evalcore._app"
SHOWN = ("css", "html", "js", "md", "svg", "toml", "ttf")
FOLDERS = ("health", "manual", "site", "board", "answers", "diversity")
SAMPLES = ("README.md", "claim.toml", "exercises.toml", *(f"{folder}/**/*" for folder in FOLDERS))
LIBRARY = ("py.typed", "figures/drawing/*", "figures/templates/*", "**/*.css", "**/*.js", "**/*.toml")
FILES = (".streamlit/config.toml", "ui/**/*LICENSE*", *(f"ui/**/*.{ending}" for ending in SHOWN))

setup(
    script_name="setup.py",  # so that it is not taken for a module of the app
    packages=[
        *find_packages(include=["evalcore", "evalcore.*"]),
        APP,
        *(f"{APP}.{name}" for name in find_namespace_packages(include=["pages", "ui", "ui.*"])),
    ],
    package_dir={APP: "."},
    package_data={
        "evalcore": [*LIBRARY],
        APP: [*FILES, *(f"sample_data/{name}" for name in SAMPLES)],
    },
    include_package_data=False,  # the wheel contains only what is listed here
)
