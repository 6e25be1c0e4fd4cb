"""Golden JSON: what was rendered once and looked at stays as it is. `SIGNOFF_REWRITE_GOLDEN=1` writes it anew."""

import json
import os
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden"
IS_REWRITTEN = os.environ.get("SIGNOFF_REWRITE_GOLDEN") == "1"


def assert_golden(name: str, rendered: Any) -> None:
    path = FOLDER / f"{name}.json"
    text = json.dumps(rendered, indent=2, ensure_ascii=False) + "\n"
    if IS_REWRITTEN:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path.name} is missing: SIGNOFF_REWRITE_GOLDEN=1 writes it"
    assert json.loads(path.read_text(encoding="utf-8")) == rendered, f"{path.name} differs from what is rendered"
