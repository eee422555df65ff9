"""BAFIS: who is shown at which occupation, by language and way of asking, against statistics and against each other."""

from portrayal.methods.bafis.method import Bafis
from portrayal.methods.bafis.options import BafisOptions

__all__ = ["Bafis", "BafisOptions"]
