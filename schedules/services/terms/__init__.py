"""The student's term: its calendar of exceptions, and single lessons that depart from the weekly pattern."""
