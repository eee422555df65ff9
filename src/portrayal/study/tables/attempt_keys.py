"""Job and attempt as one value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.exact import Ints
from portrayal.store.tables.keys import Keys

__all__ = ["NO_ATTEMPTS", "attempt_keys"]

_ATTEMPT = np.dtype([("job", np.uint64), ("attempt", np.int64)])
NO_ATTEMPTS = np.zeros(0, dtype=_ATTEMPT)


def attempt_keys(jobs: Keys, attempts: Ints) -> NDArray[np.void]:
    """Return job and attempt as one value, to compare by."""
    keys = np.zeros(len(jobs), dtype=_ATTEMPT)
    keys["job"], keys["attempt"] = jobs, attempts
    return keys
