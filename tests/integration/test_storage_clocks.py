"""The clock of a question: it counts business hours."""

from datetime import UTC, datetime

from actions import Hours
from tests.integration.scenes import HOUR, MEMBERS, Scene

FRIDAY = datetime(2026, 12, 4, 15, 30, tzinfo=UTC)
MONDAY = datetime(2026, 12, 7, 8, tzinfo=UTC)
AT_WORK = MEMBERS.model_copy(update={"hours": Hours("Europe/Berlin")})


async def test_a_deadline_counts_only_while_the_team_works(scene: Scene):
    interrupt = await scene.posted(now=FRIDAY, policy=AT_WORK)
    assert interrupt.expires_at == MONDAY + HOUR / 2
    assert await scene.store.expire_due(now=MONDAY) == 0
    assert await scene.store.expire_due(now=MONDAY + HOUR / 2) == 1
