"""Image stores: a folder or a bucket, every picture under the SHA-256 of its bytes."""
