"""How fast loading, re-scoring and a slider are, beside other tools: `python -m benchmarks`."""
