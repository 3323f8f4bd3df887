"""What the page Exercises is made of: sets of questions, a question, a set of one's own."""
