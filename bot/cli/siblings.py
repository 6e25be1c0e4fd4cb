"""Whether `actions`, `blocks`, `bot` and `storage` are the packages beside this one, told before anything of them is imported."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

PACKAGES = ("actions", "blocks", "bot", "storage")
ROOT = Path(__file__).resolve().parents[2]


def intruders(root: Path = ROOT, names: Sequence[str] = PACKAGES) -> list[str]:
    """Which of our packages are missing below `root` or come from elsewhere, by their files, and what to do."""
    return [mistake for name in names if (mistake := _misplaced(name, root.resolve()))]


def _misplaced(name: str, root: Path) -> str | None:
    spec = importlib.util.find_spec(name)
    if spec is None:
        return f"the package {name!r} is missing: it belongs into {root}. Run signoff through ./dev from a whole clone."
    places = [spec.origin] if spec.origin else list(spec.submodule_search_locations or ())
    if any(Path(place).resolve() == root / name / "__init__.py" for place in places):
        return None
    return (
        f"the package {name!r} is not Signoff's but {', '.join(places)}: uninstall or rename that one, "
        f"or run in a clean environment (./dev signoff ...). Ours is in {root}."
    )
