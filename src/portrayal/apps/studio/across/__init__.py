"""What several studies say together: a model over its releases, and the atlas of models."""
