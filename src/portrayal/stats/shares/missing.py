"""What missing images could make of a share."""

from __future__ import annotations

__all__ = ["filled"]


def filled(
    share: float, images: float, missing: float, *, prompts: int = 1, within: float = 1.0
) -> tuple[float, float]:
    """Return the least and the greatest share that all images could have, those missing among them.

    Of the missing ones the share lies at most ``within`` from that of the others: 1 is no assumption, since none of
    them or all may show the group; 0 is that they are like the others. Of several prompts the share is a mean over
    them, and which of them lost how many is not known: the ends then are those of the worst case.

    >>> filled(0.5, 60, 20), [round(end, 3) for end in filled(0.66, 204, 96, prompts=3)]
    ((0.375, 0.625), [0.34, 0.98])
    >>> filled(0.5, 60, 20, within=0.2), filled(0.5, 60, 20, within=0)
    ((0.45, 0.55), (0.5, 0.5))
    """
    lost = missing / (images + missing) if missing else 0.0
    if prompts <= 1:
        least, most = max(share - within, 0.0), min(share + within, 1.0)
        return share * (1 - lost) + lost * least, share * (1 - lost) + lost * most
    return max(share - lost * within, 0.0), min(share + lost * within, 1.0)
