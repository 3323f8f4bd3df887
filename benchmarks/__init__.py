"""Speed of loading, re-scoring and sliders, compared with other tools: `python -m benchmarks`."""
