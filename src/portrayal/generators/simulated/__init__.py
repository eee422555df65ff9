"""A generator that draws next to nothing, with everything known: people, refusals, failures."""

from portrayal.generators.simulated.generator import Simulated
from portrayal.generators.simulated.options import SimulatedOptions

__all__ = ["Simulated", "SimulatedOptions"]
