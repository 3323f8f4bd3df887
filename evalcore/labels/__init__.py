"""Rankings under changed labels: other judges, other pools, human and model labels combined."""
