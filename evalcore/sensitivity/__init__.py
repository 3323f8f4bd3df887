"""How much do the settings of a measure matter? One parameter, two, or any number of them varied over their range."""

from evalcore.measures.paths import value_at, with_path
from evalcore.sensitivity.grid import Grid, grid
from evalcore.sensitivity.importance import Importance, importance
from evalcore.sensitivity.outcomes import Outcomes, outcomes
from evalcore.sensitivity.parameters import Parameter, parameter_of, parameters_of, written_out
from evalcore.sensitivity.sample import Sample, sample, share_in_top
from evalcore.sensitivity.tau_intervals import tau_between, tau_intervals
from evalcore.sensitivity.trajectory import Trajectory, trajectory

__all__ = [
    "Grid",
    "Importance",
    "Outcomes",
    "Parameter",
    "Sample",
    "Trajectory",
    "grid",
    "importance",
    "outcomes",
    "parameter_of",
    "parameters_of",
    "sample",
    "share_in_top",
    "tau_between",
    "tau_intervals",
    "trajectory",
    "value_at",
    "with_path",
    "written_out",
]
