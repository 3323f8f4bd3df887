"""The page Topic: its settings and texts, and its views Rank by rank and What if?"""
