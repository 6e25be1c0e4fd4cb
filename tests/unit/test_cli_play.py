"""What `signoff demo --once` prints of a card: bold where the card is bold, and nothing in it taken for our markup."""

import pytest
from rich.text import Text

from bot.cli.play import emphasised


@pytest.mark.parametrize(
    ("line", "read", "bold"),
    [
        ("*Recipient*", "Recipient", ["Recipient"]),
        ("✅ *Approved* by @Ann · *[now]*", "✅ Approved by @Ann · [now]", ["Approved", "[now]"]),
        ("[red]2 * 3[/] = 6 *", "[red]2 * 3[/] = 6 *", []),
        ("", "", []),
    ],
)
def test_asterisks_become_bold_and_everything_else_stays_as_it_is(line: str, read: str, bold: list[str]):
    text = Text.from_markup(emphasised(line))
    assert text.plain == read
    assert [text.plain[span.start : span.end] for span in text.spans] == bold
