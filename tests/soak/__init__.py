"""What takes minutes: run by name, never by `./dev test` alone (no file here is called test_…)."""
