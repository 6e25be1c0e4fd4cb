"""The command line: `signoff`. Each command imports what it needs when it runs, so that `--help` answers at once."""

import sys


def main() -> None:
    """The entry point. Checks first that the packages beside this one are really ours."""
    from bot.cli.siblings import intruder

    complaint = intruder()
    if complaint:
        sys.exit(f"signoff: {complaint}")
    from bot.cli.commands import app

    app()
