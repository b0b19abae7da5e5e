"""What the words of a request tell: of contents, of ends."""
