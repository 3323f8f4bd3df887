"""A class that answers together: sessions in memory, the page for students, and the screen of the teacher."""
