"""Speed of loading, re-scoring and a slider, beside other tools: `python -m benchmarks`."""
