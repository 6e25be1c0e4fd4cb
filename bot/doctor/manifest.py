"""Whether manifest.yml asks for what this program uses. What the app itself was made from cannot be seen from here."""

import re
from pathlib import Path

from bot.doctor.findings import Finding, ok, warn
from bot.slack.scopes import NEEDS

SCOPE = re.compile(r"^ +- ([a-z]+:[a-z.:]+|commands)(?: +#.*)?$", re.MULTILINE)


def manifest_finding(file: Path) -> Finding:
    if not file.is_file():
        return warn("manifest", f"{file} is not there", "Run signoff from a whole clone.")
    asked = set(SCOPE.findall(file.read_text(encoding="utf-8")))
    used = {need.scope for need in NEEDS}
    if asked == used:
        return ok("manifest", "manifest.yml asks for the scopes that are used, and no others")
    differs = [f"without {scope}" for scope in sorted(used - asked)] + [
        f"with {scope}" for scope in sorted(asked - used)
    ]
    return warn("manifest", f"manifest.yml is {', '.join(differs)}", "Take the manifest.yml of this version.")
