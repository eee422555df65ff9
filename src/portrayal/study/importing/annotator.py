"""For whom results are imported: an annotator of the study that never looks itself."""

from __future__ import annotations

from portrayal.annotators import Annotator, looks_itself
from portrayal.errors import ConfigError, UnknownNameError, did_you_mean
from portrayal.study.config import CONFIG_NAME
from portrayal.study.study import Study

__all__ = ["imported_annotator"]


def imported_annotator(study: Study, name: str = "") -> Annotator:
    """Return the annotator of that name whose rows come from outside, or the only one there is.

    ``name`` is what follows the colon of ``imported:humans`` in study.toml, or all of that, or the full identity.
    """
    blind = [identity for identity, (_, annotator) in study.annotators.items() if not looks_itself(annotator)]
    short = name.partition(":")[2] or name
    names = {identity: study.annotator_names(identity) for identity in blind}
    fitting = [identity for identity, known in names.items() if not name or name in known]
    where = study.root / CONFIG_NAME
    if not blind:
        line = f'use = "imported:{short or "NAME"}"'
        raise ConfigError(f"{where}: nobody to import for; add a table [[annotators]] with the line {line}")
    if not fitting:
        hint = did_you_mean(short, [known[2] for known in names.values()])
        raise UnknownNameError(f"{where}: nobody to import for is called {name!r}{hint}")
    if len(fitting) > 1:
        raise ConfigError(f"{where}: say for whom with --annotator, one of: {', '.join(sorted(fitting))}")
    return study.annotators[fitting[0]][1]
