"""Where data rests: tables, images, the books of paid calls, and the lock that keeps two writers apart."""
