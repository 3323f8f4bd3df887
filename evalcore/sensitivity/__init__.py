"""Sensitivity of a ranking to the settings of a measure: one parameter, two, or several varied over their ranges."""

from evalcore.measures.paths import with_path
from evalcore.sensitivity.choices import choices_of, option_at, with_option, with_settings
from evalcore.sensitivity.first_places import Outcomes, outcomes
from evalcore.sensitivity.grids import Grid, grid
from evalcore.sensitivity.orders import Orders, changes_in_words, orders_along, quickly_ordered
from evalcore.sensitivity.over_settings import ranks_over_settings, settings_table
from evalcore.sensitivity.parameters import Parameter, parameters_of, written_out
from evalcore.sensitivity.trajectories import Trajectory, trajectory
from evalcore.sensitivity.varied import parameter_of, usual_parameters, varied_of

__all__ = [
    "Grid", "Orders", "Outcomes", "Parameter", "Trajectory",
    "changes_in_words", "choices_of", "grid", "option_at",
    "orders_along", "outcomes", "parameter_of", "parameters_of", "quickly_ordered",
    "ranks_over_settings", "settings_table", "trajectory", "usual_parameters", "varied_of",
    "with_option", "with_path", "with_settings", "written_out",
]  # fmt: skip
