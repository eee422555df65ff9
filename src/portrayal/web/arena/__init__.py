"""The battle arena: the desk that deals and counts, and its pages for raters and the study's team."""
