"""The labelling site: pages for raters, and the page on which the study's team watches."""
