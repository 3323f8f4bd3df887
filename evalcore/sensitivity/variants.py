"""A measure at many settings, created one by one, so that thousands of measures are never in memory at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalcore.common.arrays import FloatArray
from evalcore.common.progress import Tell
from evalcore.common.short_forms import shown
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.paths import with_paths
from evalcore.sensitivity.choices import with_settings
from evalcore.sensitivity.first_places import Outcomes, outcomes
from evalcore.sensitivity.parameters import Parameter, written_out


def outcomes_at(
    measure: Measure | str,
    parameters: Sequence[Parameter],
    settings: FloatArray,
    collection: HasPoolAndRankings,
    tell: Tell | None = None,
) -> Outcomes:
    """Return scores of all systems at each setting (N, D) of a measure; defaults such as equal weights can vary."""
    full = written_out(measure, collection)
    return outcomes(full, Variants(full, parameters, settings), collection, tell)


@shown
@dataclass(frozen=True, eq=False)
class Variants:
    """A measure at N settings; each row of `settings` (N, D) has the values of its D parameters."""

    measure: Measure
    parameters: Sequence[Parameter]
    settings: FloatArray

    def __len__(self) -> int:
        return len(self.settings)

    def __iter__(self) -> Iterator[Measure]:
        """Yield the measure at each setting. Raises InputError for an unknown path or a number outside its range."""
        paths = [parameter.path for parameter in self.parameters]
        if not any(parameter.options for parameter in self.parameters):
            for row in self.settings:
                yield with_paths(self.measure, dict(zip(paths, row.tolist(), strict=True)))
            return
        for row in self.settings:
            values = (parameter.setting(value) for parameter, value in zip(self.parameters, row.tolist(), strict=True))
            yield with_settings(self.measure, dict(zip(paths, values, strict=True)))
