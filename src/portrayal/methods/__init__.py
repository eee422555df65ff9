"""What is computed: protocols that turn counts into measurements, one file each."""

from portrayal.methods.base import Counting, Method, MethodFactory, Tables
from portrayal.registry import Entry, Registry

__all__ = ["METHODS", "Counting", "Method", "MethodFactory", "Tables"]

METHODS: Registry[MethodFactory] = Registry(
    "method",
    {
        "representation": Entry(
            "portrayal.methods.representation:Representation",
            "shares of perceived groups against a reference, with intervals",
        ),
    },
)
