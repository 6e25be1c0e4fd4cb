"""Pauses of other frameworks, carried on as ours: one small adapter each."""
