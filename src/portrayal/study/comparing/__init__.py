"""What comparing needs of single pictures: which of two sides belong together, and the shares of other sides."""
