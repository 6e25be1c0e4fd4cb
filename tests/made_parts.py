"""Parts of pages that are made from the code: held up to date, and written anew where `SIGNOFF_REWRITE_GOLDEN` is set."""

import re
from pathlib import Path

from tests.golden_files import IS_REWRITTEN


def holds(page: Path, marker: str, made: str) -> None:
    """Fails where the part between `<!-- marker -->` and `<!-- end -->` is not what is made of the code now."""
    text = page.read_text(encoding="utf-8")
    block = re.compile(rf"(<!-- {re.escape(marker)} -->\n).*?(<!-- end -->)", re.DOTALL)
    assert block.search(text), f"{page.name} has no block {marker!r}"
    anew = block.sub(lambda found: f"{found[1]}{made}\n{found[2]}", text)
    if IS_REWRITTEN:
        page.write_text(anew, encoding="utf-8")
    assert anew == page.read_text(encoding="utf-8"), "SIGNOFF_REWRITE_GOLDEN=1 writes it anew"
