"""SQL databases of servers: what people answer comes one by one, and is on disk before it is acknowledged."""
