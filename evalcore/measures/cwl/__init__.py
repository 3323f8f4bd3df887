"""C/W/L: measures that say how a reader goes down a ranking, and what such readers get of it."""
