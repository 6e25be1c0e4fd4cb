"""Takes pictures of everything that people see, from the workbench's page in a real browser.

./dev python -m tests.pictures OUT                all of them; OUT/index.html shows them with captions
./dev python -m tests.pictures OUT --only home    one scene
./dev python -m tests.pictures OUT --keep         and those of the README and docs, into docs/images
"""

import argparse
import asyncio
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bot import logs
from bot.cli.demo import STEPS
from tests.pictures import asked, cards, edited, flows, forms, pages
from tests.pictures.album import Album
from tests.pictures.kept import keep
from tests.pictures.studio import LiveStudio, Studio, bare_studio, live_studio

ASKING, KINDS = "tests.pictures.asking", "tests.acceptance.kind_actions"
ASKED = "tests.acceptance.asked_actions"
CHANGING, EXTRA = "tests.acceptance.form_actions", "tests.acceptance.extra_actions"
DRAWN: dict[str, Callable[[Studio], Awaitable[None]]] = {"cards": cards.cards, "endings": cards.endings}
LIVE: dict[str, tuple[Callable[[LiveStudio], Awaitable[None]], tuple[str, ...]]] = {
    "data": (cards.data, (KINDS, EXTRA)),
    "asked": (asked.asked, (ASKED,)),
    "flows": (flows.flows, ()),
    "edits": (edited.edits, ()),
    "forms": (forms.forms, (ASKING,)),
    "changing": (forms.changing, (CHANGING, ASKING)),
    "walk": (pages.walk, ()),
    "home": (pages.home, (KINDS,)),
    "stuck": (pages.stuck, (EXTRA,)),
    "looks": (pages.looks, (EXTRA,)),
}
"""Each scene, and the modules of actions that it needs besides the worked ones."""
SCENE_SECONDS = 120


async def take(scene: str, album: Album) -> None:
    if scene in DRAWN:
        async with bare_studio(scene, album) as studio:
            await DRAWN[scene](studio)
        return
    shoot, actions = LIVE[scene]
    async with live_studio(scene, album, actions, hints=STEPS if scene == "walk" else ()) as live:
        await shoot(live)


async def take_all(scenes: Sequence[str], album: Album) -> list[str]:
    """Every scene in turn, each with its own time; the names of those that failed."""
    failed = []
    for scene in scenes:
        sys.stdout.write(f"{scene}\n")
        begin = time.monotonic()
        try:
            async with asyncio.timeout(SCENE_SECONDS):
                await take(scene, album)
        except Exception:  # noqa: BLE001 - the other scenes are taken all the same
            failed.append(scene)
            traceback.print_exc()
        sys.stdout.write(f"  {time.monotonic() - begin:.0f} s\n")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder, made where it is missing")
    parser.add_argument("--only", action="append", choices=[*DRAWN, *LIVE], help="a scene; may be given several times")
    parser.add_argument("--keep", action="store_true", help="put those of the README and docs into docs/images")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    logs.set_up("console", "error")
    album = Album(given.out)
    failed = asyncio.run(take_all(given.only or [*DRAWN, *LIVE], album))
    sys.stdout.write(f"{len(album.pictures)} pictures: {album.write_index()}\n")
    if given.keep:
        keep(album)
    if failed:
        sys.stderr.write(f"failed: {', '.join(failed)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
