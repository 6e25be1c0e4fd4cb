"""How an action executes: a pass from the top, its places, nested calls, and what came of it."""
