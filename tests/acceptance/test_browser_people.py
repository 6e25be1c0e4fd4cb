"""A spend request of two stages in the page: five people, of whom one is on holiday, and a rota that changes in between."""

from pathlib import Path

import pytest
from playwright.async_api import expect
from pydantic import BaseModel

from actions import ActionInterrupt, Context, Group, ManagerOf, Needs, OnCall, Policy, Requester, Stage, action, field
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from tests.acceptance.browser import Tabs
from tests.acceptance.office import Office

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]

QUESTION = "Spend 9,000 EUR?"


class Spend(BaseModel):
    amount: int


POLICY = Policy(
    stages=(
        Stage(deciders=ManagerOf(Requester())),
        Stage(
            deciders=(Needs(1, OnCall("payments")), Needs(1, Group("treasury"))),
            when=field("amount") > 5_000,
        ),
    )
)


@action(id="spend", name="Spend", description="Spends money.", policy=POLICY)
async def spend(input: Spend, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Spend {input.amount:,} EUR?")


def people(path: Path, *, on_call: str) -> Path:
    """Dana manages Rita, Ben is the treasury, and Omar or Ann is on call."""
    path.write_text(
        "managers: {rita@example.com: dana@example.com}\n"
        "groups: {treasury: [ben@example.com]}\n"
        f"rotas: {{payments: {{people: {on_call}@example.com}}}}\n"
    )
    return path


async def test_a_large_sum_is_signed_off_in_place_of_a_manager_on_holiday_by_the_treasury_and_by_whoever_is_on_call_by_then(
    closed_office: Office, tabs: Tabs, tmp_path: Path
):
    file = people(tmp_path / "people.yml", on_call="omar")
    await closed_office.open(Registry([spend]), people=file)
    dana, ben, omar, ann = [await tabs.open(name) for name in ("dana", "ben", "omar", "ann")]
    await dana.look_at("general")
    await dana.write("/signoff away until friday, ask @ben")
    await dana.told("Ben Brook")

    run = await closed_office.start("spend", {"amount": 9_000})
    await ben.look_at("Signoff")
    await ben.press(ben.card(QUESTION), "Approve")
    await expect(ben.card(QUESTION)).to_contain_text("Stage 2 of 2")
    await dana.look_at("Signoff")
    await expect(dana.card(QUESTION)).to_contain_text("Stage 1 of 2: Approve by @Ben Brook for @Dana Diaz")

    await omar.look_at("Signoff")
    await expect(omar.card(QUESTION)).to_contain_text("Stage 2 of 2")
    people(file, on_call="ann")
    await omar.press(omar.card(QUESTION), "Approve")
    await omar.told("You are not one of those who may answer this")
    await ben.press(ben.card(QUESTION), "Approve")
    await expect(ben.card(QUESTION)).to_contain_text("1 of 2 agree")
    await ann.look_at_home()
    await ann.press(ann.home, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)

    for screen in (dana, ben, omar):
        await expect(screen.card(QUESTION)).to_contain_text("Stage 2 of 2: Approve by @Ben Brook, @Ann Archer")
        await expect(screen.card(QUESTION).get_by_role("button", name="Approve")).to_have_count(0)
    rita = await tabs.open("rita")
    await rita.look_at("Signoff")
    await expect(rita.card("Done")).to_be_visible()
