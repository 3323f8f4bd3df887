"""What pyproject.toml cannot say: the wheel holds the app and its samples too, as `evalcore/_app`.

In a checkout, and so in the archive of sources, they stand at the top. A place of their own keeps the names `app`,
`pages` and `ui` out of everybody's site-packages; they import each other because Streamlit puts the folder of the
script that it runs on the path.
"""

from setuptools import find_namespace_packages, find_packages, setup

APP = "evalcore._app"
SHOWN = ("css", "html", "js", "md", "svg", "toml", "ttf")
FOLDERS = ("health", "manual", "site", "board", "answers", "diversity")
SAMPLES = ("README.md", "claim.toml", "exercises.toml", *(f"{folder}/**/*" for folder in FOLDERS))
LIBRARY = ("py.typed", "figures/drawing/*", "figures/templates/*", "**/*.css", "**/*.js", "**/*.toml")
FILES = (".streamlit/config.toml", "ui/**/*LICENSE*", *(f"ui/**/*.{ending}" for ending in SHOWN))

setup(
    script_name="setup.py",  # by which it is known as no module of the app, whoever runs it
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
    include_package_data=False,  # what is not named here is not in the wheel
)
