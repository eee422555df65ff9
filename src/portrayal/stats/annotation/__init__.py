"""Who looks: how far annotators agree, how they err, and shares put right for it."""
