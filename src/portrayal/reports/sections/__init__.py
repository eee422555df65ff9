"""What every page says beside its methods: what was asked, who looked, what is missing, what was planted."""
