"""A class that answers together: sessions in memory, the students' page, and the teacher's screen."""
