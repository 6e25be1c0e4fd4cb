"""People answer kinds of cards in the page: what is edited counts, and a name that is typed otherwise does not."""

import json

import pytest
from playwright.async_api import expect

from tests.acceptance.browser import Tabs
from tests.acceptance.office import Office
from tests.asked_kinds import CODE

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]


async def test_ann_edits_code_before_it_runs_and_confirms_a_deletion_by_its_name(open_office: Office, tabs: Tabs):
    code = await open_office.start("asks_kind", {"ui": "write_code"})
    deletion = await open_office.start("pauses_with_kind", {"ui": "confirm"})
    ann = await tabs.open("ann")
    await ann.look_at("approvals")

    await ann.press(ann.card("Run this?"), "Edit and run")
    written = ann.field("Code").get_by_role("textbox")
    await expect(written).to_have_value(CODE)
    await written.fill(CODE.replace("0)", "0.0)"))
    await ann.submit()
    await expect(ann.card("Run this?")).to_contain_text("Done")
    answer = json.loads((await open_office.ends(code.id)).output or "null")
    assert answer == {"action": "run", "code": CODE.replace("0)", "0.0)")}

    await ann.press(ann.card("Delete this database?"), "Confirm")
    name = ann.field("Name")
    await name.get_by_role("textbox").fill("orders-2023")
    await ann.submit()
    await expect(name).to_contain_text("must be typed exactly as it is shown")
    await name.get_by_role("textbox").fill("orders-2024")
    await ann.submit()
    await expect(ann.card("Delete this database?")).to_contain_text("Done")
    assert json.loads((await open_office.ends(deletion.id)).output or "null") == {"name": "orders-2024"}
