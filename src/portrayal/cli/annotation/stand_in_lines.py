"""Whether annotators may stand in for people, in lines of text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from portrayal.terminal import text_table

if TYPE_CHECKING:
    from portrayal.study.agreement.stand_in import StandIn

__all__ = ["lines"]

_HEAD = ("left out", "items", "annotator as good or better", "rater as good or better", "p", "annotator wins")


def lines(found: StandIn) -> Iterator[str]:
    """Yield the answer, then the duel with each rater."""
    from portrayal.stats.annotation.alt_test import ENOUGH_ITEMS, ENOUGH_RATERS

    test, about = found.test, f"{found.annotator}, perceived {found.attribute}"
    if not test.enough:
        yield (
            f"{about}: too few answers to tell: the test takes {ENOUGH_RATERS} raters or more with {ENOUGH_ITEMS} "
            f"items or more that another judged, too; here are {len(test.duels)} of {len(found.raters)}."
        )
    elif test.passes:
        yield (
            f"{about}: may stand in for these raters: it wins against {_wins(found)}, and agrees with the others as "
            f"well as a rater or better in {test.advantage:.0%} of cases."
        )
    else:
        yield (
            f"{about}: not shown that it may stand in for these raters: it wins against {_wins(found)}. {_more(found)}"
        )
    if test.duels:
        yield from text_table(_HEAD, [_cells(found, place) for place in range(len(test.duels))])
    yield ""


def _wins(found: StandIn) -> str:
    return f"{sum(duel.wins for duel in found.test.duels)} of {len(found.test.duels)}"


def _more(found: StandIn) -> str:
    needed = found.test.items_needed
    if math.isinf(needed):
        return "If things are as they seem, no number of items would show it."
    return f"If things are as they seem, about {needed:.0f} items of each rater would show it in four of five tests."


def _cells(found: StandIn, place: int) -> tuple[str, ...]:
    duel = found.test.duels[place]
    rates = f"{duel.advantage:.2f}", f"{duel.rater_advantage:.2f}"
    return (found.raters[duel.rater], str(duel.items), *rates, f"{duel.p:.4f}", "yes" if duel.wins else "no")
