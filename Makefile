# For hands that type make: each target is one ./dev command.
.PHONY: demo test check fmt
demo: ; ./dev signoff demo
test: ; ./dev test
check: ; ./dev check
fmt: ; ./dev fmt
