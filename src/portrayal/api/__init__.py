"""What ``import portrayal`` offers: a study as an object, its tables as rows, charts and pictures in a notebook."""
