"""Learn: the guided path, exercises, worked examples, the papers, and the glossary."""

from ui.shell import own_part

own_part.whole_app()
