"""Makes a PNG of a page small: its 256 most frequent colours, each rarer one as the nearest of them, in a palette.

Text on plain ground is almost all of such a picture, so nothing is seen of it. It reads what Chromium writes: eight bits
for each of red, green and blue, not interlaced (www.w3.org/TR/png-3).
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 256
TRUE_COLOUR, WITH_PALETTE = 2, 3

Colour = tuple[int, int, int]


def reduced(png: bytes) -> bytes:
    """The same picture in fewer bytes. Raises `ValueError` for a PNG of another kind."""
    width, height, depth, kind, *rest = struct.unpack(">IIBBBBB", next(_chunks(png, b"IHDR")))
    if (depth, kind, rest) != (8, TRUE_COLOUR, [0, 0, 0]):
        raise ValueError(f"depth {depth}, colour type {kind}: only 8 bits of true colour are read")
    pixels = _pixels(zlib.decompress(b"".join(_chunks(png, b"IDAT"))), width, height)
    palette, number_of = _palette(Counter(pixels))
    numbers = bytes(number_of[pixel] for pixel in pixels)
    lines = b"".join(b"\0" + numbers[start : start + width] for start in range(0, len(numbers), width))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, WITH_PALETTE, 0, 0, 0)),
        (b"PLTE", bytes(part for colour in palette for part in colour)),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(_chunk(*part) for part in parts)


def _chunks(png: bytes, wanted: bytes) -> Iterator[bytes]:
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        if png[at + 4 : at + 8] == wanted:
            yield png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _pixels(filtered: bytes, width: int, height: int) -> list[Colour]:
    """Each line begins with the number of its filter, which takes neighbours from each byte (section 9 of the standard)."""
    stride, above = width * 3, bytearray(width * 3)
    pixels: list[Colour] = []
    for number in range(height):
        start = number * (stride + 1)
        above = _unfiltered(filtered[start], bytearray(filtered[start + 1 : start + 1 + stride]), above)
        pixels += zip(above[0::3], above[1::3], above[2::3], strict=True)
    return pixels


def _unfiltered(method: int, line: bytearray, above: bytearray) -> bytearray:
    for at in range(len(line)) if method else ():
        left, up = (line[at - 3] if at >= 3 else 0), above[at]
        corner = above[at - 3] if at >= 3 else 0
        line[at] = line[at] + (left, up, (left + up) // 2, _nearest(left, up, corner))[method - 1] & 255
    return line


def _nearest(left: int, up: int, corner: int) -> int:
    """Paeth's predictor."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))


def _palette(counts: Counter[Colour]) -> tuple[list[Colour], dict[Colour, int]]:
    palette = [colour for colour, _ in counts.most_common(COLOURS)]
    return palette, {colour: _closest(colour, palette) for colour in counts}


def _closest(colour: Colour, palette: list[Colour]) -> int:
    red, green, blue = colour
    return min(
        range(len(palette)),
        key=lambda number: (
            (palette[number][0] - red) ** 2 + (palette[number][1] - green) ** 2 + (palette[number][2] - blue) ** 2
        ),
    )
