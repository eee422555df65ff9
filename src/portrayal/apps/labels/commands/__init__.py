"""Commands around people's labels: sheets, the site, and what comes of both."""
