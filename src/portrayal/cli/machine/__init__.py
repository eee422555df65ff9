"""Commands about this machine: what is installed, keys, stores, engines, speed."""
