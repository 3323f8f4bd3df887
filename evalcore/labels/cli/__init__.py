"""The command `evalcore labels`: a module for each of its questions."""
