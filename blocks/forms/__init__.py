"""Forms from any JSON Schema: planned, laid out in steps, drawn, and read back. `blocks.form` is the door."""
