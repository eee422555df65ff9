"""The pictures of a page, and links between them and the rows of charts."""
