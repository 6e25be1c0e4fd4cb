"""Pictures of everything that people see, taken by one command from the workbench's page in a real browser."""
