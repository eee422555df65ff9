"""How fast pairs of pictures are compared, against a plain loop over scikit-image, on one core.

Ten pictures of each prompt are compared pair by pair. Both begin with pictures in grey, in memory; ours includes what
is computed once for each picture. The last line is the ratio: it must be 10 or more.
"""

from __future__ import annotations

import os
import time
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from PIL import Image

from portrayal.vision.ssim import Grey, ssim

SIZE, PICTURES, ROUNDS = 256, 10, 5


def main() -> None:
    """Measure both and print milliseconds a pair."""
    from skimage import metrics

    compare: Any = metrics.structural_similarity
    noise = np.random.default_rng(0).integers(0, 256, (PICTURES, SIZE // 8, SIZE // 8), dtype=np.uint8)
    pictures = [np.asarray(Image.fromarray(own).resize((SIZE, SIZE))) for own in noise]
    pairs = [(i, j) for i in range(PICTURES) for j in range(i)]
    ours, plain = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        greys = [Grey.of(own) for own in pictures]
        found = [ssim(greys[i], greys[j]) for i, j in pairs]
        ours.append(time.process_time() - start)
        start = time.process_time()
        known = [compare(pictures[i], pictures[j], win_size=7, data_range=255) for i, j in pairs]
        plain.append(time.process_time() - start)
    print(f"largest difference  {max(abs(a - b) for a, b in zip(found, known, strict=True)):.1e}")
    print(f"ours, ms a pair     {min(ours) / len(pairs) * 1e3:.3f}")
    print(f"plain, ms a pair    {min(plain) / len(pairs) * 1e3:.3f}")
    print(f"ratio               {min(plain) / min(ours):.1f}")


if __name__ == "__main__":
    main()
