"""Generate: draw and edit what is planned and has no answer yet."""
