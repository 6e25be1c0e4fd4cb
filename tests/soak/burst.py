"""Five hundred cards to one channel, at Slack's own pace of one a second, shared by two publishers: all arrive, in order, once.

./dev test tests/soak/burst.py -s --timeout 1200
"""

import os
from pathlib import Path

from bot.workbench.bench import Timings
from tests.integration.press import opened_press
from tests.integration.scenes import NO

CARDS = int(os.environ.get("SIGNOFF_SOAK_CARDS", "500"))


async def test_a_burst_of_cards_to_one_channel_arrives_in_order_and_once(tmp_path: Path):
    async with opened_press(tmp_path, Timings(posts_per_channel=0.95)) as press:
        questions = [f"Question {number}?" for number in range(CARDS)]
        asked = [await press.asked(message=question) for question in questions]
        async with press.publishing("one"), press.publishing("two"):
            await press.copy(asked[0], "posted")
            await press.vote(asked[0], choice=NO)
            first = press.in_channel()[0]
            await press.person("ann").until(lambda: first.buttons == [], "the decision on the first card")
            for each in asked:
                await press.in_step(each, timeout=2 * CARDS)
        cards = press.in_channel()
        limited = [call for call in press.workbench.calls if call.status == 429]
        seconds = float(cards[-1].ts) - float(cards[0].ts)
        print(f"\n{len(cards)} cards in {seconds:.0f} s, {len(limited)} calls were refused as too fast")  # noqa: T201 - it is a measurement
        assert [card.text.split("\n")[0] for card in cards] == questions
