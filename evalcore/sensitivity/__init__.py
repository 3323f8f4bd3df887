"""How much do the settings of a measure matter? One parameter, two, or any number of them varied over their range."""

from evalcore.measures.paths import with_path
from evalcore.sensitivity.choices import choices_of, option_at, with_option, with_settings
from evalcore.sensitivity.first_places import Outcomes, outcomes
from evalcore.sensitivity.grids import Grid, grid
from evalcore.sensitivity.importances import Importance, importance
from evalcore.sensitivity.orders import Orders, changes_in_words, orders_along, quickly_ordered
from evalcore.sensitivity.parameters import Parameter, parameters_of, written_out
from evalcore.sensitivity.sampling import Sample, sample, share_in_top
from evalcore.sensitivity.taus import depth_taus, tau_between
from evalcore.sensitivity.trajectories import Trajectory, trajectory
from evalcore.sensitivity.varied import parameter_of, usual_parameters, varied_of

__all__ = [
    "Grid", "Importance", "Orders", "Outcomes", "Parameter", "Sample", "Trajectory",
    "changes_in_words", "choices_of", "depth_taus", "grid", "importance", "option_at",
    "orders_along", "outcomes", "parameter_of", "parameters_of", "quickly_ordered", "sample",
    "share_in_top", "tau_between", "trajectory", "usual_parameters", "varied_of",
    "with_option", "with_path", "with_settings", "written_out",
]  # fmt: skip
