"""Charts and tables as files of their own, for papers, slides and notebooks."""
