"""Both flows at once, over the workbench, with a bot whose process is killed before each answer: nothing is asked twice."""

import json
from pathlib import Path

from actions.kit.records.runs import RunStatus
from bot.workbench.cards import Card
from bot.workbench.driver import Tab
from bot.workbench.modals import Modal
from tests.acceptance.office import Office, office
from tests.waiting import until

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
PATIENCE = 30.0


async def asked(rita: Tab, question: str) -> Card:
    return await rita.sees(question, in_="dm", timeout=PATIENCE)


async def answers(rita: Tab, question: str, button: str) -> Modal:
    """The form behind a button of her card."""
    await rita.click(await asked(rita, question), button)
    return await rita.modal(button, timeout=PATIENCE)


async def picks_graz(rita: Tab, form: Modal) -> None:
    """The new process loads its cities while she types."""

    async def found() -> bool:
        return "Graz, Austria" in await rita.search(form, "Choose a place", "grác")

    await until(found, "Graz to be found", timeout=PATIENCE)
    await rita.choose(form, "Choose a place", "Graz, Austria")
    assert (await rita.submit(form)).closed


async def dies_and_comes_back(opened: Office) -> None:
    """Once the bot knows that its cards stand: what it does not know, it waits fifteen seconds for."""
    async with opened.reading() as store:

        async def in_step() -> bool:
            copies = [copy for run in await store.runs() for copy in await store.copies(run.id)]
            return all(copy.shown_version == copy.wanted_version for copy in copies)

        await until(in_step, "the bot to know its cards", timeout=PATIENCE)
    await opened.kill()
    await opened.serve()


async def test_the_bot_is_killed_before_each_answer_and_both_flows_come_to_their_end(tmp_path: Path):
    async with office("socket", tmp_path) as opened:
        rita = opened.person("rita")
        await opened.serve()
        await rita.command("/signoff weather")
        assert (await rita.submit(await rita.modal("Weather", timeout=PATIENCE))).closed
        await rita.command("/signoff trade_crypto")
        form = await rita.modal("Trade crypto", timeout=PATIENCE)
        assert (await rita.submit(form, {"Side": "buy", "Pair": "ETH-USD", "Amount": "0.25"})).closed
        await asked(rita, "The weather of which place?")
        await asked(rita, "Which wallet is the order for?")

        await dies_and_comes_back(opened)
        wallet = await answers(rita, "Which wallet is the order for?", "Connect")
        wrong = await rita.submit(wallet, {"Address": WALLET.lower(), "Chain": "Gnosis"})
        assert "carries no checksum" in wrong.errors["Address"]
        assert (await rita.submit(wallet, {"Address": WALLET, "Chain": "Gnosis"})).closed
        order = await asked(rita, "Buy 0.25 ETH?")
        assert order.says("760.30 USD")

        await dies_and_comes_back(opened)
        await picks_graz(rita, await answers(rita, "The weather of which place?", "Choose a place"))
        await rita.click(order, "Confirm")
        await asked(rita, "What became of the order?")

        await dies_and_comes_back(opened)
        status = await answers(rita, "What became of the order?", "Give its status")
        assert (await rita.submit(status, {"Status": "Filled"})).closed
        async with opened.reading() as store:

            async def ended() -> bool:
                return all(run.status is RunStatus.SUCCEEDED for run in await store.runs())

            await until(ended, "both flows to end", timeout=PATIENCE)
            by_action = {run.action_id: json.loads(run.output or "null") for run in await store.runs()}
        assert by_action["weather"]["source"] == "a recording for Graz, 1 km away"
        assert (by_action["trade_crypto"]["outcome"], by_action["trade_crypto"]["status"]) == ("ordered", "filled")
        (placed,) = opened.effects("crypto_order")
        assert (placed.facts["chainId"], placed.facts["order_uid"]) == (100, by_action["trade_crypto"]["order_uid"])
