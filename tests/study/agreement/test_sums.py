from __future__ import annotations

from collections import Counter

import numpy as np

from portrayal.study.agreement.sums import Overlap


def test_images_are_counted_by_who_tells_the_attribute() -> None:
    """Six that both tell, of which one is of other people; three only the first, two the second, one neither."""
    first, second = [True] * 9 + [False] * 4, [True] * 6 + [False] * 3 + [True] * 2 + [False] * 2
    looked = np.array([[True] * 12 + [False], [True] * 11 + [False] * 2])
    both = np.array([True] * 5 + [False] * 8)
    why = np.array([[0] * 9 + [2, 2, 1, 0], [0] * 6 + [1] * 3 + [0, 0, 3, 0]])
    found = Overlap()
    for _ in range(2):
        found.add(np.array([first, second]), both, looked, why)
    told = found.compared, found.first_only, found.second_only, found.neither, found.different_people
    assert (found.images, *told) == (24, 10, 6, 4, 2, 2)
    assert [+own for own in found.reasons] == [Counter({2: 4, 1: 2}), Counter({1: 6, 3: 2})]
