"""The command that takes pictures: each is a file, and the page beside them shows it with its caption."""

import html
from pathlib import Path

import pytest

from tests.pictures.__main__ import take_all
from tests.pictures.album import Album

pytestmark = pytest.mark.chromium


async def test_a_scene_leaves_a_file_for_each_picture_and_a_page_that_shows_them_all(tmp_path: Path):
    album = Album(tmp_path)
    assert await take_all(["endings"], album) == []
    page = album.write_index().read_text(encoding="utf-8")
    assert len(album.pictures) > 20
    for picture in album.pictures:
        assert (tmp_path / picture.file).read_bytes().startswith(b"\x89PNG")
        assert f'src="{picture.file}"' in page
        assert html.escape(picture.caption) in page
