"""Text that would ping, forge, run or break the layout does nothing of it in the page, wherever it stands."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.acceptance.browser import NARROW, Screen
from tests.acceptance.showcase import CONFIRM, Json, Show, field, modal, option, shown
from tests.integration.workbench_bots import button, plain

pytestmark = pytest.mark.chromium

MARK = "MARK"  # stands in each text, so that what is looked at is known to be there
HOSTILE = {
    "HTML that runs": f"{MARK}<script>document.title='forged'</script><img src=x onerror=document.title='forged'>",
    "attributes": f"{MARK}\" onmouseover=\"document.title='forged'\" style='position:fixed;inset:0' x='",
    "a ping": f"{MARK} <!channel> <!here|here> <!everyone> @channel @here <@U0ANN|boss> <!subteam^S0OPS|ops>",
    "a forged link": f"{MARK} <https://evil.example|https://bank.example> [bank](https://evil.example) evil.example",
    "a script address": f"{MARK} <javascript:alert(1)|click> [a](javascript:alert(1)) javascript:alert(1) data:text/html,x",
    "a date": f"{MARK} <!date^99999999999999999^{{date}}|soon> <!date^1^{{date}}^javascript:alert(1)|x>",
    "right to left": f"{MARK} \u202egnp.exe\u202c \u2066\u2067abc \u202dxyz \u200f\u061c",
    "nothing to see": f"{MARK}\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164",
    "a long word": MARK + "W" * 140,
    "combining marks": MARK + "Z" + "\u0315\u0351\u035c" * 30,
    "control characters": f"{MARK}\x01\x07\x1b[31m\x7f\x85\u2028\u2029",
    "markup without end": f"{MARK} *_~`*_~` ``` > &lt;b&gt; &amp;lt; <<<>>> <|> <> :x :+1: ::: {{{{}}}}",
    "a key of objects": f"{MARK} __proto__ constructor toString hasOwnProperty",
}
NARROWEST = 75  # characters: what Slack lets into a button or an option


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def literal(text: str) -> list[Json]:
    """Blocks that show a text where Slack takes it as it is, and as escaped mrkdwn that is verbatim."""
    short = text[:NARROWEST]
    mrkdwn = {"type": "mrkdwn", "text": escaped(text), "verbatim": True}
    rich = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    cell = {"type": "raw_text", "text": text}
    accessory = {"type": "overflow", "action_id": "o", "options": [option(short, "v", description=plain(short))]}
    picture = {"type": "image", "alt_text": text, "title": plain(text), "image_url": "https://evil.example/a.png"}
    confirm = {**CONFIRM, "title": plain(text[:100]), "text": plain(text[:300])}
    return [
        {"type": "header", "text": plain(text[:150])},
        {"type": "section", "text": mrkdwn, "accessory": accessory},
        {"type": "section", "fields": [mrkdwn, plain(text)]},
        {"type": "rich_text", "elements": [rich, {**rich, "type": "rich_text_preformatted"}]},
        {"type": "context", "elements": [plain(text), {**picture, "title": None}]},
        picture,
        {"type": "table", "rows": [[cell, cell], [cell, cell]]},
        {"type": "actions", "block_id": "press", "elements": [button(short, "press", value="v", confirm=confirm)]},
    ]


def without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nothing(inner) for key, inner in value.items() if inner is not None}
    return [without_nothing(inner) for inner in value] if isinstance(value, list) else value


def form(text: str) -> list[Json]:
    short = option(text[:NARROWEST], "v", description=plain(text[:NARROWEST]))
    asked = {"label": plain(text), "hint": plain(text)}
    return [
        {
            **field("Typed", {"type": "plain_text_input", "initial_value": text, "placeholder": plain(text[:150])}),
            **asked,
        },
        {**field("Chosen", {"type": "static_select", "options": [short]}), **asked},
        {**field("Ticked", {"type": "checkboxes", "options": [short]}), **asked},
        {**field("Many", {"type": "multi_static_select", "options": [short], "initial_options": [short]}), **asked},
        {**field("Searched", {"type": "external_select", "initial_option": short}), **asked},
    ]


async def is_harmless(screen: Screen, place: Locator) -> None:
    """Nothing of what stands at this place pings, runs, leads elsewhere than it says, or is wider than the window."""
    await expect(place).to_contain_text(MARK)
    await expect(place.locator("script, img, iframe, .mention, [onmouseover], [onerror]")).to_have_count(0)
    for link in await place.locator("a").all():
        assert (await link.get_attribute("href") or "").rstrip("/") == (await link.text_content() or "").rstrip("/")
    assert "forged" not in await screen.page.title()
    assert not await screen.overflows()
    outside = await place.evaluate(OUTSIDE)
    assert outside == []


# What is wider than the place that it stands in, by its beginning; what is cut on purpose, or is known to scroll, is not.
OUTSIDE = """(place) => {
  const edge = place.getBoundingClientRect().right + 1;
  const held = (node) => node.matches(".table-place, pre, .block-carousel") || ["hidden", "clip"].includes(getComputedStyle(node).overflowX);
  const isHeld = (node) => node !== place && (held(node) || isHeld(node.parentElement));
  return [...place.querySelectorAll("*")]
    .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > edge && !isHeld(node))
    .map((node) => node.outerHTML.slice(0, 120));
}"""

WIDTHS = pytest.mark.parametrize("size", [NARROW, (1280, 800)], ids=["phone", "desk"])


@WIDTHS
async def test_hostile_text_does_nothing_in_messages_threads_and_notifications(show: Show, size):
    for name, text in HOSTILE.items():
        blocks = without_nothing(literal(text))
        ts = await show.posts({"text": escaped(f"{name} {text}"), "blocks": blocks})
        await show.posts({"text": escaped(text), "blocks": blocks}, thread_ts=ts)
        await show.posts({"text": escaped(f"plain {name} {text}")})
    ann = await show.tabs.open("ann", size=size)
    await expect(ann.page.locator("#messages article")).to_have_count(2 * len(HOSTILE))
    await is_harmless(ann, ann.page.locator("#messages"))
    for article in await ann.page.locator("#messages article").all():
        await is_harmless(ann, article)
    thread = ann.page.locator("#thread")
    for link in await ann.page.get_by_role("button", name="1 reply").all():
        await link.click()
        await is_harmless(ann, thread)
        await thread.locator("[data-role=close-thread]").click()
    await ann.page.evaluate(
        "document.querySelectorAll('[data-role=more]').forEach((it) => it.parentElement.open = true)"
    )


@WIDTHS
async def test_hostile_text_does_nothing_in_a_notification_an_announcement_or_a_title(show: Show, size):
    ann = await show.tabs.open("ann", size=size)
    if size == NARROW:
        await ann.page.get_by_role("button", name="Open the sidebar").click()
    await ann.look_at("general")
    for text in HOSTILE.values():
        ts = await show.posts({"text": escaped(text)})
        notice = ann.page.locator(f"[data-notice='{ts}']")
        await is_harmless(ann, notice)
        await notice.get_by_label("Dismiss").click()


@WIDTHS
async def test_hostile_text_does_nothing_in_a_modal_or_its_questions(show: Show, size):
    ann = await show.tabs.open("ann", size=size)
    for text in HOSTILE.values():
        blocks = [block for block in without_nothing(literal(text)) if block["type"] != "table"]
        view_id = await show.opens(modal(text[:24], blocks=[*blocks, *form(text)], submit=plain(text[:24])))
        here = ann.page.locator(f"[data-view-id='{view_id}'].dialog")
        await is_harmless(ann, here)
        await here.locator(".many-summary").click()
        await is_harmless(ann, here)
        await here.locator("[data-action-id=press]").click()
        await is_harmless(ann, ann.page.get_by_role("alertdialog"))
        await ann.page.keyboard.press("Escape")
        await here.locator("[data-role=close-view]").click()
        await expect(here).to_have_count(0)


@WIDTHS
async def test_hostile_text_does_nothing_on_home(show: Show, size):
    show.workbench.workspace.app.events = ()
    ann = await show.tabs.open("ann", size=size)
    if size == NARROW:
        await ann.page.get_by_role("button", name="Open the sidebar").click()
    await ann.look_at_home()
    for text in HOSTILE.values():
        blocks = [block for block in without_nothing(literal(text)) if block["type"] != "table"]
        await show.client.views_publish(user_id="U0ANN", view={"type": "home", "blocks": blocks})
        await expect(ann.home.locator(".block-header")).to_have_count(1)
        await is_harmless(ann, ann.home)


async def test_the_longest_message_of_unfinished_markup_is_there_at_once(show: Show):
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    show.workbench.bench.strict = False
    for unfinished in (" *a", " *a<", " _`b", "&lt;*~_", "**[a](", "@here :a:b"):
        text = (MARK + unfinished * 14_000)[:39_000]
        await show.posts({"text": text})
        blocks = [{"type": "markdown", "text": text[:7_000]}, {"type": "section", "text": plain(text[:2900])}]
        await show.posts({"text": "Blocks", "blocks": blocks})
        await expect(ann.page.locator("#messages .markdown")).to_contain_text(MARK, timeout=3000)
        await expect(ann.page.locator("#messages article")).to_have_count(2)
        for message in list(show.workbench.workspace.conversations["C0APPROVALS"].messages):
            show.workbench.workspace.remove(message)


async def test_markup_that_the_app_means_pings_and_links_but_goes_nowhere_dangerous(show: Show):
    """What an app sends as mrkdwn is markup: mentions are shown as such, links lead to the web alone, apart from here."""
    text = (
        "<!channel> <@U0ANN> <https://example.com/a|here> <javascript:alert(1)|there> <data:text/html,x|so> <b>bold</b>"
    )
    markdown = (
        f"{text}\n\n[a](https://example.com/b) [b](javascript:alert(1)) ![c](https://evil.example/c.png) <i>x</i>"
    )
    show.workbench.bench.strict = False
    await show.posts({"text": text})
    await show.posts({"text": "markdown", "blocks": [{"type": "markdown", "text": markdown}]})
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    links = ann.page.locator("#messages a")
    for link in await links.all():
        assert (await link.get_attribute("href") or "").startswith("https://")
        assert await link.get_attribute("rel") == "noopener noreferrer"
        assert await link.get_attribute("target") == "_blank"
    await expect(links).to_have_count(4)
    await expect(ann.page.locator("#messages").locator("b, i, img, script")).to_have_count(0)
    await expect(ann.page.locator("#messages .mention-all")).to_have_count(2)
