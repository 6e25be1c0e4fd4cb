"""Carries runs forward: the seam that wakes them, the threads that execute them, and what people may do to them."""
