"""What exists already comes in: images, per-image results of FAIntbench's authors, labels that people gave."""
