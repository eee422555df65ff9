"""Images drawn and edited by a server with the API of AUTOMATIC1111's web UI, such as that itself or Forge."""

from portrayal.generators.a1111.generator import A1111, A1111Options

__all__ = ["A1111", "A1111Options"]
