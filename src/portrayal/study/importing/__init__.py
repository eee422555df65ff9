"""What exists already comes in: images, results of others for each image, labels that people gave."""
