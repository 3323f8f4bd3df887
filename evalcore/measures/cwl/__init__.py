"""C/W/L: measures with a model of how a reader goes down a ranking, and the reader's expected gain."""
