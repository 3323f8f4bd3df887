"""Rankings under other labels: other judges, other pools, human and model labels combined."""
