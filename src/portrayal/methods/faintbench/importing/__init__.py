"""What FAIntbench's authors laid out and wrote down comes in: their folders of images, their results for each image."""
