"""The labelling joined to the disk: pictures drawn, and what people said of them in SQLite or PostgreSQL."""
