"""What BiasIG's alignment wrote comes in."""
