"""Parts of the page Exercises: sets of questions, one question, a teacher's own set."""
