"""The code of an action changes while its question is open in Slack: it stays, is asked again, or waits for its action."""

from typing import Any, Literal

from pydantic import BaseModel

from actions import ActionInterrupt, ChannelMembers, Context, Policy, action
from actions.kit.action import Action
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from tests.acceptance.office import Office

QUESTION = "Which way?"


class Nothing(BaseModel):
    """An input without fields."""


def version(*ways: str, name: str = "Way", words: str = "") -> Registry:
    """A version of the team's code, whose one action asks for one of these ways."""

    async def ask_way(input: Nothing, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt(QUESTION)
        return f"{words}{ctx.resumption.data}"

    declared: Action = action(
        id="ask_way",
        name=name,
        description="Asks.",
        policy=Policy(deciders=ChannelMembers("#approvals")),
        resume=Literal[ways],
    )(ask_way)
    return Registry([declared], ())


def without_it() -> Registry:
    return Registry([], ())


async def asked(office: Office, registry: Registry) -> Any:
    """A card in Slack, posted by a bot that is closed by now."""
    await office.open(registry)
    run = await office.start("ask_way", {})
    card = await office.person("ann").sees(QUESTION, in_="#approvals")
    await office.card(run.id)
    await office.close()
    return run, card


async def test_a_question_that_still_fits_resumes_the_new_code(closed_office: Office):
    run, card = await asked(closed_office, version("left", "right"))
    await closed_office.open(version("left", "right", name="A better name", words="now "))
    await closed_office.person("ann").click(card, "Left")
    assert (await closed_office.ends(run.id, RunStatus.SUCCEEDED)).output == '"now left"'


async def test_a_question_that_does_not_fit_is_asked_again_and_its_card_says_why(closed_office: Office):
    run, card = await asked(closed_office, version("left", "right"))
    await closed_office.open(version("up", "down"))
    ann = closed_office.person("ann")
    again = await ann.sees(QUESTION, in_="#approvals", after=card)
    assert again.says("the question changed")
    assert again.buttons == ["Up", "Down"]
    await ann.until(lambda: card.buttons == [], "the old card to lose its buttons")
    await ann.click(again, "Up")
    assert (await closed_office.ends(run.id, RunStatus.SUCCEEDED)).output == '"up"'


async def test_a_question_whose_action_is_gone_waits_until_it_is_back(closed_office: Office):
    run, card = await asked(closed_office, version("left", "right"))
    bot = await closed_office.open(without_it())
    assert bot.reconciled.without_action == (run.id,)
    ann = closed_office.person("ann")
    await ann.click(card, "Left")
    await ann.is_told("action")
    assert await closed_office.decisions(run.id) == []
    await closed_office.close()
    await closed_office.open(version("left", "right"))
    await ann.click(card, "Left")
    await closed_office.ends(run.id, RunStatus.SUCCEEDED)
