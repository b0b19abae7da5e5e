"""What CP-SAT has proven about problems of the bench."""

from __future__ import annotations

PROVEN = {
    ("mixed_lengths", 0): 14,
    ("mixed_lengths", 1): 4,
    ("mixed_lengths", 3): 0,
    ("eleven_sections", 0): 12,
    ("eleven_sections", 1): 9,
    ("too_small", 0): 24,
    ("too_small", 3): 31,
}
"""Missing sections of optima that CP-SAT has proven, by kind and seed of the bench's problems."""
