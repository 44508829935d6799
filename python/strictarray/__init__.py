"""A strict, minimal implementation of the Python array API standard."""
