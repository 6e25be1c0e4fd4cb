"""What values may be: the types of inputs and answers, their JSON Schemas, and what is said of a value that does not fit."""
