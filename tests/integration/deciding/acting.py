"""Stories of what else people do with an open card: they take it on, let it go, ask for more, reply, and give it more time."""

from random import Random
from typing import Any

from hypothesis.stateful import rule

from blocks.acts import ActVerb
from blocks.clicks import Act, ActTarget, Submission
from bot.engine.results import ActDone, Refusal
from tests.integration.deciding.answering import Answering
from tests.integration.deciding.request import Request
from tests.integration.deciding.stories import LUCK, Followed
from tests.integration.deciding.town import EVERYBODY, OPS
from tests.integration.engine_room import sources

WORDS: dict[str, Any] = {"field:/text": {"value": {"type": "plain_text_input", "value": "Why?"}}}
VERBS: tuple[ActVerb, ...] = ("extend", "reply", "ask", "take", "let_go")


class Acting(Answering):
    """None of it changes who may decide."""

    @rule(luck=LUCK)
    def somebody_acts(self, luck: Random) -> None:
        """Mostly one of those who may, and what its card offers."""
        followed = self.one(luck)
        request, today = followed.request, self.today(followed)
        verb = luck.choice(offered(request) * 3 + VERBS)
        able = [each for each in EVERYBODY if request.may_decide(each, today)]
        able = request.requesters if verb == "reply" else [*able, OPS] if verb == "extend" else able
        person = luck.choice(able * 3 + [*EVERYBODY, OPS])
        self.do(self.acted(followed, person, verb))

    async def acted(self, followed: Followed, person: str, verb: ActVerb) -> None:
        interrupt, does = (await self.card(followed)).interrupt, self.does(followed, person, verb)
        runner, source = self.room.runner, f"act:{next(sources)}"
        if verb in {"ask", "reply"}:
            target = ActTarget(verb, interrupt.id, interrupt.content_version)
            result: object = await runner.submit_act(Submission(target, WORDS, person, "V", "t", source))
        else:
            result = await runner.press(Act(verb, interrupt.id, interrupt.content_version, person, "t", None, source))
        assert isinstance(result, ActDone if does else Refusal), (verb, person, result, followed)
        await self.settle_after(followed)

    def does(self, followed: Followed, person: str, verb: ActVerb) -> bool:
        """Whether it must be done; then it is, as far as the model goes."""
        request = followed.request
        if verb == "reply":
            return request.reply(person)
        is_entitled = request.may_decide(person, self.today(followed)) or (verb == "extend" and person == OPS)
        if not (request.is_open and is_entitled):
            return False
        match verb:
            case "take":
                return request.take(person)
            case "let_go":
                return request.let_go(person)
            case "ask":
                return request.question()
            case _:
                return request.more_time()


def offered(request: Request) -> tuple[ActVerb, ...]:
    """What some of these people may do with its card as it stands."""
    claims: tuple[ActVerb, ...] = ("take", "let_go") if request.rules.claim_for else ()
    asks: tuple[ActVerb, ...] = ("ask",) if request.rules.may_ask else ()
    replies: tuple[ActVerb, ...] = ("reply",) if request.unanswered else ()
    extends: tuple[ActVerb, ...] = ("extend",) if request.clock.may_be_extended else ()
    return (*extends, *replies, *asks, *claims)
