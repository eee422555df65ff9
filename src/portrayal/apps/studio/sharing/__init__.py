"""What is taken away: any view as a folder without a server, pictures, tables, a bundle, a site."""
