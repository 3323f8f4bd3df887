"""Measures of focused retrieval (INEX 2007): lists of passages, documents with parts or entry points, and the tasks."""
