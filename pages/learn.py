"""Learn: the guided path, exercises, worked examples, the papers, and the glossary."""

from ui.shell import place

place.show("learn")
