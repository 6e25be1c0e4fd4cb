"""What the pictures of one call are kept in: a folder of PNG files, and one page that shows them all with captions."""

import html
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Made = Literal["live", "drawn"]
"""Live: the real bot did it. Drawn: what `blocks` draws of sample records, posted through the Web API."""

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; background: #ececec; color: #222 }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
h2 { flex: 1 0 100%; margin: 1.5rem 0 0 }
figure { margin: 0; padding: .75rem; background: #fff; border-radius: 6px; max-width: 44rem }
img { max-width: 100%; display: block }
figcaption { margin-top: .5rem; max-width: 40rem }
small { color: #666 }
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """One PNG file: the scene it is from, its name, and what is to be seen on it."""

    scene: str
    name: str
    caption: str
    made: Made

    @property
    def file(self) -> str:
        return f"{self.name}.png"


@dataclass(slots=True)
class Album:
    """The folder. Pictures stand in the order in which they were taken."""

    folder: Path
    pictures: list[Picture] = field(default_factory=list)

    def place_for(self, picture: Picture) -> Path:
        """Where its file goes; it is in the album from now on. Raises `ValueError` for a second one of its name."""
        if any(known.name == picture.name for known in self.pictures):
            raise ValueError(f"two pictures are called {picture.name!r}")
        self.pictures.append(picture)
        sys.stdout.write(f"  {picture.name}: {picture.caption}\n")
        sys.stdout.flush()
        return self.folder / picture.file

    def write_index(self) -> Path:
        page = self.folder / "index.html"
        scenes = dict.fromkeys(picture.scene for picture in self.pictures)
        shown = "\n".join(self._scene(name) for name in scenes)
        head = f"<!doctype html><html lang=en><meta charset=utf-8><title>Pictures</title><style>{STYLE}</style>"
        page.write_text(f"{head}<main>\n{shown}\n</main></html>\n", encoding="utf-8")
        return page

    def _scene(self, name: str) -> str:
        figures = "\n".join(_figure(picture) for picture in self.pictures if picture.scene == name)
        return f"<h2>{html.escape(name)}</h2>\n{figures}"


def _figure(picture: Picture) -> str:
    caption = html.escape(picture.caption)
    return (
        f'<figure id="{picture.name}"><img src="{picture.file}" alt="{caption}">'
        f"<figcaption>{caption}<br><small>{picture.file}, {picture.made}</small></figcaption></figure>"
    )
