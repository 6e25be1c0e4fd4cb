"""Scenes of whole pages: the walk through the demo, Home, the operators' list, the panel; light, dark and on a phone."""

from datetime import timedelta

from playwright.async_api import expect

from actions.kit.policies.deciders import Person, Policy
from actions.kit.records.runs import Origin, RunStatus
from bot import clock
from bot.cli.demo import REQUESTS
from storage.results import Lease, NewRun
from tests.acceptance.browser import NARROW, WIDE, Scheme, Screen
from tests.integration.scenes import question
from tests.pictures.studio import LiveStudio

LOOKS: dict[str, tuple[tuple[int, int], Scheme]] = {
    "light": (WIDE, "light"),
    "dark": (WIDE, "dark"),
    "phone": (NARROW, "light"),
    "phone_dark": (NARROW, "dark"),
}
MESSAGE, SPEND = "Approve sending this message?", "Spend 1,249.90 EUR at Kamera Köhler?"


async def seeded(studio: LiveStudio) -> None:
    """What waits in the demo."""
    for action_id, given in REQUESTS:
        await studio.live.start(action_id, given)


async def walk(studio: LiveStudio) -> None:
    """What the demo says can be tried, step by step."""
    await seeded(studio)
    rita = await studio.opens("rita", size=(1280, 864))
    await expect(rita.card(MESSAGE)).to_contain_text("until today")
    await rita.press(rita.card(MESSAGE), "Approve")
    await rita.told("nobody approves their own request")
    await rita.page.locator("#composer-text").blur()
    await studio.take("walk_refused", "Rita alone is told why her own answer does not count", rita.page)
    ann = await studio.opens("ann")
    await ann.look_at("approvals")
    await ann.press(ann.card(MESSAGE), "Approve")
    await expect(ann.card(MESSAGE)).to_contain_text("Done")
    await expect(ann.card(MESSAGE)).to_contain_text("2 replies")
    await studio.take("walk_done", "Ann approved: the card says who did and what became of it", ann.page)
    await studio.take("walk_done_card", "A card that is done", ann.card(MESSAGE).locator(".sheet"), margin=5)
    await ann.card(MESSAGE).get_by_role("button", name="replies").click()
    await expect(ann.page.locator("#thread")).to_contain_text("Sent to press@example.com.")
    await studio.take("walk_thread", "The thread says who decided and what the action reports", ann.page)
    await _declined(studio)
    await _started(studio, rita)
    await _expired(studio, rita)


async def _declined(studio: LiveStudio) -> None:
    dana = await studio.opens("dana", is_told=True)
    await dana.look_at("Signoff")
    await studio.take("walk_asked", "Dana is asked by direct message", dana.page)
    await dana.press(dana.card(SPEND), "Reject")
    await dana.field("Reason").locator("textarea").fill("No")
    await dana.submit()
    await expect(dana.modal.locator(".block-wrong")).to_be_visible()
    await studio.take("walk_reason", "A reason that is too short is told at its field", dana.page)
    await studio.take("walk_reason_form", "The form of an answer, with what is wrong in it", dana.modal)
    await dana.field("Reason").locator("textarea").fill("The shop lends us one until the new budget is there.")
    await dana.submit()
    await expect(dana.card(SPEND)).to_contain_text("Rejected by")
    await studio.take("walk_declined", "Declined, with the reason", dana.page)


async def _started(studio: LiveStudio, rita: Screen) -> None:
    await rita.write("/signoff")
    await expect(rita.whispers.last).to_contain_text("Spend request")
    await studio.take("walk_actions", "What can be started, by /signoff", rita.page)
    await rita.write("/signoff spend_request")
    await expect(rita.modal).to_be_visible()
    await studio.take("walk_form", "A form made from a Python model", rita.page)
    await rita.page.keyboard.press("Escape")


async def _expired(studio: LiveStudio, rita: Screen) -> None:
    await rita.page.get_by_role("button", name="+5 min").click()
    await rita.look_at("Signoff")
    await expect(rita.card("Restart checkout?")).to_contain_text("nobody answered within 5 minutes")
    await studio.take("walk_told", "Rita is told how each of her requests ended", rita.page)


async def home(studio: LiveStudio) -> None:
    """Home with nothing, with three questions and what else concerns one, and with five hundred questions."""
    omar, dana, rita = [await studio.opens(who, size=(1000, 1700)) for who in ("omar", "dana", "rita")]
    await omar.look_at_home()
    await expect(omar.home).to_contain_text("Nothing waits")
    await studio.take("home_0", "Home where nothing waits", omar.page)
    await _history(studio)
    await dana.look_at_home()
    await expect(dana.home).to_contain_text("Kamera Köhler")
    await studio.take("home_3", "Home with what waits, what one asked for, what was decided", dana.page)
    await studio.take("home_3_alone", "The same without the page around it", dana.home.locator(".home-body"), margin=16)
    await rita.look_at_home()
    await expect(rita.home).to_contain_text("Kamera Köhler")
    await studio.take("home_asked", "Home of somebody who asks a lot", rita.page)
    await _waiting_for_omar(studio, 499)
    await omar.look_at("Signoff")
    await omar.look_at_home()
    await expect(omar.home).to_contain_text("500")
    await studio.take("home_500", "Home with five hundred questions", omar.page)
    await omar.home.get_by_role("button", name="Waiting for me").click()
    await expect(omar.home).to_contain_text("1 to 10 of 500")
    await studio.take("home_500_page", "The first page of five hundred questions", omar.page)


async def _history(studio: LiveStudio) -> None:
    """Three questions wait for Dana, one of her own waits for others, and three were decided."""
    await seeded(studio)
    await studio.live.start("show_kind", {"kind": "order"})
    await studio.live.start("send_message", {"recipient": "team@example.com", "body": "Friday is off."}, by="dana")
    for who, words in (("press", "Thank you for waiting."), ("customers", "The shop is open again.")):
        run = await studio.live.start("send_message", {"recipient": f"{who}@example.com", "body": words})
        dana = studio.live.person("dana")
        await dana.click(await dana.sees(words, in_="#approvals"), "Approve")
        await studio.live.ends(run)


async def _waiting_for_omar(studio: LiveStudio, number: int) -> None:
    """Rows of the store alone: they are never posted."""
    policy, until = Policy(deciders=Person("U0OMAR")), clock.now() + timedelta(minutes=5)
    for each in range(number):
        now = clock.now()
        names = ("restart_service", "Restart service") if each % 3 else ("spend_request", "Spend request")
        new = NewRun(*names, "U0RITA", Origin(via="demo"), "{}")
        run = (await studio.live.store.start(new, lease=Lease("pictures", until), now=now)).run
        asked = question(message=f"Restart node {each:03d}?", policy=policy, shown='{"rack": "B7", "load": "0.97"}')
        await studio.live.store.pause(run.id, run.epoch, owner="pictures", request=asked, copies=(), now=now)


async def stuck(studio: LiveStudio) -> None:
    """The operators' list: with nothing, and with what failed, stalled and could not be delivered."""
    ann = await studio.opens("ann", size=(1280, 1100))
    await ann.look_at("approvals")
    await ann.write("/signoff stuck")
    await expect(ann.modal).to_contain_text("Nothing is stuck")
    await studio.take("stuck_0", "Nothing is stuck", ann.page)
    await ann.page.keyboard.press("Escape")
    ben = studio.live.person("ben")
    for action_id, asked, ended in (
        ("break_after_answer", "Break it?", RunStatus.FAILED),
        ("runs_too_long", "Start the long one?", RunStatus.STALLED),
    ):
        run = await studio.live.start(action_id, {})
        await ben.click(await ben.sees(asked, in_="#approvals"), "Approve")
        await studio.live.ends(run, ended)
    studio.workbench.workspace.conversations["C0OPS"].members.remove("U0SIGNOFF")
    await studio.live.start("ask_ops", {}, by="ann")
    await expect(ann.row("Signoff")).not_to_have_attribute("data-unread", "0")
    await ann.write("/signoff stuck")
    await expect(ann.modal).to_contain_text("3 runs need somebody")
    await studio.take("stuck_3", "What failed, what stalled, what could not be delivered", ann.page)
    await ann.page.keyboard.press("Escape")
    await ann.look_at("Signoff")
    await studio.take("stuck_told", "What those who asked are told about it", ann.page)


async def looks(studio: LiveStudio) -> None:
    """A conversation, a thread, a form with an error, Home and the panel: light, dark, and on a phone."""
    await seeded(studio)
    await studio.live.start("two_of_three", {})
    ben = studio.live.person("ben")
    await ben.click(await ben.sees("Release it?", in_="#approvals"), "Approve")
    for name, (size, scheme) in LOOKS.items():
        dana = await studio.opens("dana", size=size, scheme=scheme)
        await _look(studio, dana, name)
        await dana.page.context.close()


async def _look(studio: LiveStudio, dana: Screen, name: str) -> None:
    is_phone = name.startswith("phone")
    if is_phone:
        await _sidebar(dana)
        await studio.take(f"look_{name}_sidebar", f"the sidebar, {name}", dana.page)
    await dana.look_at("approvals")
    await expect(dana.card("Release it?")).to_contain_text("2 needed in all")
    await studio.take(f"look_{name}_channel", f"a channel, with a quorum in progress, {name}", dana.page)
    await dana.page.locator("[data-role=panel]").click()
    for part in ("traffic", "faults", "workspace"):
        await dana.panel.locator(f"[data-role=panel-{part}]").click()
        await studio.take(f"look_{name}_{part}", f"the panel: {part}, {name}", dana.page)
    await dana.page.keyboard.press("Escape")
    if is_phone:
        await _sidebar(dana)
    await dana.look_at("Signoff")
    await dana.press(dana.card(SPEND), "Reject")
    await dana.field("Reason").locator("textarea").fill("No")
    await dana.submit()
    await expect(dana.modal.locator(".block-wrong")).to_be_visible()
    await studio.take(f"look_{name}_form", f"a form with an error, {name}", dana.page)
    await dana.page.keyboard.press("Escape")
    await dana.page.locator("[data-role=tab-home]").click()
    await expect(dana.home).to_contain_text("Kamera Köhler")
    await studio.take(f"look_{name}_home", f"Home, {name}", dana.page)


async def _sidebar(screen: Screen) -> None:
    await screen.page.get_by_role("button", name="Open the sidebar").click()
