"""An arena under load: a server, and raters that vote by themselves."""
