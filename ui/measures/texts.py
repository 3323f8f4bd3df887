"""Texts of Build a measure."""

READING = (
    "Left: the gain of each grade. Right: the discount of each rank. The score of a ranking is the sum of gain "
    "times discount, divided by the normaliser.",
    "A steep gain rewards the best documents; a steep discount rewards the first ranks. With the ideal as "
    "normaliser, the best score on every topic is 1; without it, topics with many good documents count more.",
    "Start from RBP and lower ρ to 0.3: only the first three ranks still count. Then compare with AP or TOMA(nDCG).",
)
