"""New studies: a commented study.toml, and what running it will come to."""
