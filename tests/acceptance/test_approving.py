"""A request in a channel, from the slash command to the requester's message."""

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import Office

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}


async def test_an_approved_message_is_sent_once_and_its_requester_is_told(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Approve sending this message?", in_="#approvals")
    await ann.click(card, "Approve")
    settled = await ann.sees_on(card, "Done")
    assert settled.buttons == []
    await rita.sees("Done", in_="dm")
    assert (await open_office.ends(run.id, RunStatus.SUCCEEDED)).output
    assert [entry.kind for entry in open_office.effects()] == ["message"]
