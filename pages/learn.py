"""Learn: the guided path, exercises, a class, worked examples, the papers, and the glossary."""

from ui.shell import page_part

page_part.whole_app()
