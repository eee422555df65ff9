"""Tables of Parquet segments: written by a rename, read in pieces, checked before they are believed."""
