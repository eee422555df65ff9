"""What is there, and is it whole: installed packages, a cluster, and every file and picture of a study."""
