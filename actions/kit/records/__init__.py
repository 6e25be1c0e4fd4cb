"""The frozen values that all rooms pass around: what a run, an interrupt, a decision and a copy are, apart from any table.

JSON that must return as it was (input, data, state, answers, output) travels as JSON *text*, so that key order and
numbers stay what they were. Times are aware datetimes in UTC. Ids of people and channels are Slack's.
"""
