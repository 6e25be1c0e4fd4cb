"""What is told of an edited run beside its cards: in `/signoff show`, at the command line, and over HTTP."""

import json

from actions.kit.edits import field_edits
from blocks.life import Life
from blocks.lives import life_message
from bot.api.views import run_summary
from bot.cli.facts import run_facts
from bot.cli.life import run_lines
from tests.cards import AT_NINE, DAN
from tests.unit.test_blocks_edits import ASKED, edited

CARD = edited(ASKED, ASKED | {"amount": "6000.00", "vendor": "Acme Ltd"})
WORDS = "Amount 4,000.00 EUR → 6,000.00 EUR; Vendor Acme → Acme Ltd"


def test_show_tells_each_edit_in_slack_and_at_the_command_line():
    message = life_message(Life(CARD.run, (CARD,)), AT_NINE)
    assert f"Edited by <@{DAN}>: {WORDS}" in json.dumps(message.blocks, ensure_ascii=False)
    assert f"  Edited by {DAN}: {WORDS}" in list(run_lines(CARD.run))


def test_programs_get_the_changed_fields_as_json():
    expected = [("amount", "4000.00", "6000.00", DAN), ("vendor", "Acme", "Acme Ltd", DAN)]
    found = field_edits(CARD.run.edits, CARD.run.input)
    assert [(each.field, each.before, each.after, each.person) for each in found] == expected
    over_http = run_summary(CARD.run).model_dump(mode="json")["edits"]
    assert [(each["field"], each["before"], each["after"], each["person"]) for each in over_http] == expected
    at_the_command_line = run_facts(CARD.run)["edits"]
    assert [each["after"] for each in at_the_command_line] == ["6000.00", "Acme Ltd"]
    json.dumps(at_the_command_line)
