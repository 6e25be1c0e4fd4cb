"""The pictures of the README and docs: there, small, described, made by the command; and no smaller one shows less."""

import re
import struct
import zlib
from pathlib import Path

import pytest

from tests.pictures.kept import IMAGES, KEPT
from tests.pictures.png import SIGNATURE, reduced

ROOT = Path(__file__).parents[2]
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
LARGEST = 150_000
"""Bytes of one picture: a page with several of them still opens at once."""

Pixel = tuple[int, int, int]


def shown() -> list[tuple[Path, str]]:
    """Every picture of a page, with the words for whoever does not see it."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [
        ((page.parent / file).resolve(), words)
        for page in pages
        for words, file in IMAGE.findall(page.read_text(encoding="utf-8"))
    ]


def test_each_picture_of_the_pages_is_there_small_and_described():
    assert len(shown()) >= 5
    for path, words in shown():
        assert path.is_file(), path
        assert path.stat().st_size <= LARGEST, path.name
        assert len(words) > 30, f"{path.name} needs words for whoever does not see it"


def test_each_picture_is_made_by_the_command_and_shown_somewhere():
    made = {f"{name}.png" for name in KEPT.values()}
    assert {path.name for path in IMAGES.iterdir()} == made == {path.name for path, _ in shown()}


# Small files


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def true_colour(lines: list[list[Pixel]], method: int) -> bytes:
    """A PNG whose lines are all filtered in one of the five ways."""
    above, written = bytes(len(lines[0]) * 3), b""
    for line in lines:
        plain = bytes(part for pixel in line for part in pixel)
        written += bytes(
            [method, *(byte - guess & 255 for byte, guess in zip(plain, guesses(plain, above, method), strict=True))]
        )
        above = plain
    head = struct.pack(">IIBBBBB", len(lines[0]), len(lines), 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(written)), (b"IEND", b"")]
    return SIGNATURE + b"".join(chunk(*part) for part in parts)


def guesses(line: bytes, above: bytes, method: int) -> list[int]:
    left, corner = bytes(3) + line, bytes(3) + above
    return [
        (0, left[at], above[at], (left[at] + above[at]) // 2, paeth(left[at], above[at], corner[at]))[method]
        for at in range(len(line))
    ]


def paeth(left: int, up: int, corner: int) -> int:
    a, b, c = (abs(left + up - corner - each) for each in (left, up, corner))
    if a <= b and a <= c:
        return left
    return up if b <= c else corner


def pixels_of(png: bytes) -> list[list[Pixel]]:
    """What a picture with a palette shows."""
    parts, at = {}, len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        parts[png[at + 4 : at + 8]] = png[at + 8 : at + 8 + length]
        at += length + 12
    width, height = struct.unpack_from(">II", parts[b"IHDR"])
    data, palette = zlib.decompress(parts[b"IDAT"]), parts[b"PLTE"]
    rows = [data[number * (width + 1) + 1 : (number + 1) * (width + 1)] for number in range(height)]
    return [[(palette[n * 3], palette[n * 3 + 1], palette[n * 3 + 2]) for n in row] for row in rows]


@pytest.mark.parametrize("method", range(5))
def test_a_picture_of_few_colours_is_the_same_afterwards(method: int):
    lines = [[(x * 40 % 256, y * 70 % 256, x * y % 256) for x in range(16)] for y in range(12)]
    assert pixels_of(reduced(true_colour(lines, method))) == lines


def test_a_rare_colour_becomes_the_nearest_of_the_frequent_ones():
    frequent = [[(number, number, number)] * 9 for number in range(256)]
    frequent[7][3] = (7, 8, 7)
    assert pixels_of(reduced(true_colour(frequent, 0)))[7][3] == (7, 7, 7)


def test_what_it_cannot_read_is_refused():
    with_palette = reduced(true_colour([[(0, 0, 0)] * 4] * 4, 0))
    with pytest.raises(ValueError, match="colour type 3"):
        reduced(with_palette)
