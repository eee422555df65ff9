"""A package, so that no other one called ``tests`` is taken for it: some that are installed bring one along."""
