"""Whether manifest.yml asks for what this program uses. What the app itself was made from cannot be seen from here."""

import re
from pathlib import Path

from blocks.starts import ABOUT_MESSAGE, START_SHORTCUT
from bot.doctor.findings import Finding, ok, warn
from bot.slack.scopes import NEEDS

WANTED = ("home_tab_enabled: true", "- app_home_opened", "- app_mention", "- message.im", START_SHORTCUT, ABOUT_MESSAGE)
"""What the manifest says beside scopes, so that people find the Home tab and the shortcuts."""
SCOPE = re.compile(r"^ +- ([a-z_.]+:[a-z.:]+|commands)(?: +#.*)?$", re.MULTILINE)


def manifest_finding(file: Path) -> Finding:
    if not file.is_file():
        return warn(
            "manifest", f"{file} is not there", "Only making the Slack app takes it: it is in a clone of this version."
        )
    text = file.read_text(encoding="utf-8")
    asked, used = set(SCOPE.findall(text)), {need.scope for need in NEEDS}
    missing = sorted(used - asked) + [each.removeprefix("- ") for each in WANTED if each not in text]
    if not missing and asked == used:
        return ok("manifest", "manifest.yml asks for the scopes that are used, and no others")
    differs = [f"without {each}" for each in missing] + [f"with {scope}" for scope in sorted(asked - used)]
    return warn("manifest", f"manifest.yml is {', '.join(differs)}", "Take the manifest.yml of this version.")
