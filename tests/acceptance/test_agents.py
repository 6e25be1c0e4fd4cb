"""An agent is asked in Slack and at the terminal, and people decide what it may do: three refunds, of which one is edited and one rejected."""

import asyncio

import pytest

from actions.kit.records.runs import RunStatus
from bot.cli.agent import ask_agent
from bot.workbench.cards import Card
from tests.acceptance.office import Office
from tests.acceptance.programs import client, programs
from tests.waiting import until

PROMPT = "refund A-1041, A-1042 and B-7, they came broken"
AMOUNT = "Arguments \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} Amount"
QUESTION = "Support agent wants to use Pay back. Shall it?"


ONE_WAY = pytest.mark.parametrize("transport", ["socket"], indirect=True)


MODULES = ("bot.cli.demo_agent", "tests.acceptance.agent_actions")


async def opened(office: Office, agent: str = "support") -> None:
    """The bot with an agent, opened anew where it was open."""
    await office.close()
    await office.open(actions=MODULES, agent=agent)


async def next_card(office: Office, after: Card | None = None) -> Card:
    return await office.person("ann").sees(QUESTION, in_="#approvals", after=after)


async def test_three_refunds_are_decided_one_by_one_and_the_bot_restarts_between_any_two(closed_office: Office):
    office = closed_office
    await opened(office)
    ann, rita = office.person("ann"), office.person("rita")
    said = rita.say(f"@signoff {PROMPT}", in_="#general")

    first = await next_card(office)
    assert all(first.says(words) for words in ("A-1041", "77 EUR", PROMPT))
    await opened(office)
    await ann.click(first, "Approve")
    second = await next_card(office, first)
    await ann.click(second, "Edit")
    form = await ann.modal("Edit")
    await opened(office)
    assert (await ann.submit(form, {AMOUNT: "10.50"})).closed
    third = await next_card(office, second)
    await opened(office)
    await ann.click(third, "Reject")
    assert (await ann.submit(await ann.modal("Reject"), {"Reason": "It was used"})).closed

    run = await office.ends((await office.newest_run()).id, RunStatus.SUCCEEDED)
    paid = [(each.facts["order"], each.facts["amount"]) for each in office.effects("refund")]
    assert paid == [("A-1041", "77"), ("A-1042", "10.50")]
    turns = [call for call in await office.store.calls.of_run(run.id) if call.action_id == "model_turn"]
    assert [call.executions for call in turns] == [1, 1, 1]

    told = await rita.sees("A-1041: Paid back 77 EUR.", in_="#general")
    assert told.says("A-1042: Paid back 10.50 EUR. (changed by whoever approved it)")
    assert told.says("B-7: Not done: people declined it, and said: It was used")
    thread = [each for each in rita.messages("#general") if each.message.thread_ts == said.ts]
    assert [each.text.split(":")[0] for each in thread] == [
        "Support agent is at work.",
        "Uses Order total",
        "Asks first",
        "A-1041",
    ]
    assert rita.messages("dm") == []


@ONE_WAY
async def test_it_is_asked_in_direct_messages_and_not_by_guests_bots_edits_or_what_is_said_below_a_card(
    closed_office: Office,
):
    office = closed_office
    await opened(office)
    rita, gus = office.person("rita"), office.person("gus")
    gus.say(f"@signoff {PROMPT}", in_="#general")
    await gus.sees("Guests cannot start", in_="dm")
    rita.say("@signoff", in_="#general")
    rita.say("below what the bot said", thread=await rita.sees("Write what is to be done", in_="dm"))
    asked = rita.say("hello", in_="dm")
    await rita.sees("Which orders?", in_="dm")
    rita.edit(asked, "hello there")
    run = await office.newest_run()
    assert [each.id for each in await office.store.runs()] == [run.id]


async def test_a_message_that_slack_delivers_again_is_asked_for_once(closed_office: Office):
    office = closed_office
    await opened(office)
    rita = office.person("rita")
    rita.say("@signoff hello", in_="#general")
    first = await rita.sees("Which orders?", in_="#general")
    heard = [each for each in office.workbench.deliveries if each.payload.get("event", {}).get("type") == "app_mention"]
    assert (await office.workbench.redeliver(heard[-1])).ok
    rita.say("@signoff once more", in_="#general")
    await rita.sees("Which orders?", in_="#general", after=first)
    assert len(await office.store.runs()) == 2


async def test_a_program_asks_an_agent_as_it_starts_any_action(closed_office: Office):
    office = closed_office
    await opened(office)
    async with programs(office) as session:
        service = await client(office, session, "U0RITA")
        started = await service.start("support", {"prompt": "refund A-1041, it came broken"})
        assert started.status == 201, started
        await office.person("ann").click(await next_card(office), "Approve")
        await office.ends(started.body["id"], RunStatus.SUCCEEDED)
        ended = await service.get(f"/v1/runs/{started.body['id']}")
    assert ended.body["output"] == {"answer": "A-1041: Paid back 77 EUR."}


@ONE_WAY
async def test_its_answer_calls_nobody_and_what_is_cut_of_it_is_one_click_away(closed_office: Office):
    office = closed_office
    await opened(office, "parrot")
    rita, ben = office.person("rita"), office.person("ben")
    rita.say(f"@signoff <!channel> @ann {'word ' * 2_000}the end", in_="#general")
    told = await rita.sees("<!channel> @U0ANN word", in_="#general")
    assert (told.pings, told.buttons, told.says("the end")) == ([], ["Show all"], False)
    await ben.click(told, "Show all")
    assert (await ben.modal("Parrot")).says("the end")


@ONE_WAY
async def test_at_the_terminal_one_waits_for_what_it_says(
    closed_office: Office, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    office = closed_office
    await opened(office)
    for name, value in (office.environment(office.settings()) | {"ACTIONS": "bot.cli.demo_agent"}).items():
        monkeypatch.setenv(name, value)
    asking = asyncio.create_task(ask_agent("hello", "support", "U0RITA", detach=False, as_json=False))
    await until(office.store.runs, "the run to be stored")
    await office.bot.runner.recover()
    await asking
    said = capsys.readouterr()
    assert "Which orders?" in said.out
    assert "is at work." in said.err
