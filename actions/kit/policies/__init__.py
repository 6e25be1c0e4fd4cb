"""Who decides, in which order, by when, and who stands in: policies, and the arithmetic over them. Pure."""
