"""The command line: `signoff`. Each command imports what it needs when it runs, so that `--help` answers at once."""

import sys

WRONG, INTERRUPTED = 2, 130


def main() -> None:
    """The entry point. Checks first that the packages beside this one are really ours."""
    from bot.cli.siblings import intruders

    mistakes = intruders()
    if mistakes:
        sys.stderr.writelines(f"signoff: {mistake}\n" for mistake in mistakes)
        sys.exit(WRONG)
    try:
        from bot.cli.commands import app
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    app()
