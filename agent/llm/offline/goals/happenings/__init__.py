"""What happens in a term: what was done or missed, and plans made anew by least change."""
