"""What came of a job: an image, or why there is none; images that were there before, what was paid, adaptive rounds."""
