"""Signed webhooks out: how a delivery is signed, where it may go, and who sends it."""
