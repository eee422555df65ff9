"""The battle arena: the service that deals battles and counts votes, and its pages for raters and the study's team."""
