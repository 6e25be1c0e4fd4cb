"""The strict validator's parts: what a rule is, and the tables of rules for texts, elements, blocks and surfaces."""
