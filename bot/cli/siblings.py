"""Whether `actions`, `blocks` and `storage` are the packages beside this one, told before any of them is imported."""

import importlib.util
from pathlib import Path

PACKAGES = ("actions", "blocks", "storage")
ROOT = Path(__file__).resolve().parents[2]


def intruder(root: Path = ROOT) -> str | None:
    """Name a package that is missing or that another installation put in our place; `None` when all are ours."""
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            return (
                f"the package {name!r} is missing beside {root / 'bot'}. Run signoff through ./dev from a whole clone."
            )
        found = Path(spec.origin).resolve()
        if found.parent.parent != root:
            return (
                f"the package {name!r} is not Signoff's: Python finds {found}. "
                f"Uninstall what put it there, or run in a clean environment (./dev signoff ...)."
            )
    return None
