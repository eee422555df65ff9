"""Pictures that somebody has already: sent by a browser, unpacked, looked through, and made into a study."""
