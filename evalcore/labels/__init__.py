"""Would the ranking stand with other labels: judges, pools, and labels of people and models combined."""
