"""A study in one file: every byte of it follows from the study and is covered by a hash.

An archive is a ZIP file without compression, so that any tool opens it. First stands ``portrayal-archive.json``, the
list of its files with their sizes and hashes; the comment at its end, the seal, has the hash of that list and, where
its author has a key, a signature.
"""
