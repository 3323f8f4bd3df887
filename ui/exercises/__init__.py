"""What the page Exercises is made of: sets of questions, a question, the answer sheet, links for a class."""
