"""The arrows of the state machine: synchronous functions of an open transaction, each with one guarded statement.

Rows are touched in one order everywhere: interrupts, runs, lanes, copies; so that concurrent transactions wait for each
other instead of locking each other out.
"""
