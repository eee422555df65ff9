"""Small trees of the form of repositories that users clone, in words of our own: ``python -m website.clones FOLDER``.

The sample reports of the methods that read such a clone rest on them, and so do tests.
"""
