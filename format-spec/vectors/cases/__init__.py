"""The golden vectors: what is in them, and what must be found, each said by hand from the text of the format."""
