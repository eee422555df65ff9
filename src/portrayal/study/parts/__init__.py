"""The parts that study.toml names, built: their identities, prices, devices and places on a cluster."""
