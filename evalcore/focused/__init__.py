"""Measures of focused retrieval (INEX 2007): lists of passages, documents with what to read in them, its tasks."""
