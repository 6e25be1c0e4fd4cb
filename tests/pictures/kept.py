"""Which of the pictures stand in the README and in docs, and how they get there."""

import sys
from pathlib import Path

from tests.pictures.album import Album
from tests.pictures.png import reduced

IMAGES = Path(__file__).parents[2] / "docs" / "images"
KEPT = {
    "walk_refused": "workbench",
    "walk_done_card": "done",
    "walk_reason_form": "form",
    "home_3_alone": "home",
    "look_dark_traffic": "panel",
    "data_order": "card-order",
    "asked_write_code": "card-write-code",
    "flow_weather_done": "flow-weather",
    "flow_order": "flow-order",
}
"""By the name of the picture: what it is called in `IMAGES`, without its ending."""


def keep(album: Album) -> None:
    """Put those of the README and docs where these show them, made small."""
    for picture in album.pictures:
        if picture.name in KEPT:
            small = reduced((album.folder / picture.file).read_bytes())
            (IMAGES / f"{KEPT[picture.name]}.png").write_bytes(small)
            sys.stdout.write(f"{KEPT[picture.name]}.png: {len(small):,} bytes\n")
