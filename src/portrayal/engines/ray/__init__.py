"""Work spread over the nodes of a Ray cluster that exists already; ``ray`` itself is imported when one is used."""

from portrayal.engines.ray.cluster import Node, RayCluster, connect
from portrayal.engines.ray.engine import RayEngine

__all__ = ["Node", "RayCluster", "RayEngine", "connect"]
