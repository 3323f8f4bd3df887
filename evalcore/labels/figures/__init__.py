"""Figures of labels: judges beside each other, what a pool holds, combined scores."""
