"""Where an atlas rests, and how studies and the hub come into it."""
