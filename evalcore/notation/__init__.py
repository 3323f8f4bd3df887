"""Text <-> value <-> formula: how a measure and its parameters are written, read back and computed."""
