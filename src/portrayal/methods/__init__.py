"""What is computed: protocols that turn counts into measurements, one file each."""

from portrayal.methods.base import Counting, Method, MethodFactory
from portrayal.registry import Entry, Registry

__all__ = ["METHODS", "Counting", "Method", "MethodFactory"]

METHODS: Registry[MethodFactory] = Registry(
    "method",
    {
        "representation": Entry(
            "portrayal.methods.representation:Representation",
            "shares of perceived groups against a reference, with intervals",
        ),
        "faintbench": Entry(
            "portrayal.methods.faintbench:Faintbench",
            "FAIntbench: implicit and explicit bias scores, manifestation factor",
        ),
        "bafis": Entry(
            "portrayal.methods.bafis:Bafis",
            "BAFIS: shares by language, variant and category against statistics, pairs with equal seeds",
        ),
    },
)
