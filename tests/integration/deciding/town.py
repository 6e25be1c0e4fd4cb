"""Where the stories play: five people, a guest and a bot, and a directory that says what the model's world is."""

from dataclasses import dataclass

from actions import Group, ManagerOf, OnCall, Requester
from actions.kit.policies.deciders import Lookup
from actions.kit.records.people import PersonFacts
from bot.engine.people import CouldNotVerify
from tests.integration.deciding.rules import Term
from tests.integration.deciding.world import World
from tests.integration.engine_room import ANN, BEN, BOT, EVE, GUS, RITA, People

DAN, OPS = "U0DAN", "U0OPS"
FULL = (RITA, ANN, BEN, EVE, DAN)
EVERYBODY = (*FULL, GUS, BOT)
LOOKUPS: dict[Term, Lookup] = {
    "@finance": Group("finance"),
    "@leads": Group("leads"),
    "rota": OnCall("payments"),
    "manager": ManagerOf(Requester()),
}
AT_FIRST: dict[Term, set[str]] = {
    "@finance": {BEN, GUS, DAN, RITA},
    "@leads": {ANN, BEN, EVE},
    "rota": {EVE},
    "manager": {ANN},
}


def at_first() -> dict[Term, set[str]]:
    return {term: set(people) for term, people in AT_FIRST.items()}


@dataclass
class Town(People):
    """A few people more, and a workspace that does not always answer."""

    def tell(self, world: World) -> None:
        known = {term: people for term, people in world.stand_for.items() if term not in world.unknown}
        self.stand_for = {LOOKUPS[term]: set(people) for term, people in known.items()}
        self.is_away, self.left = world.is_down, set(world.left)

    async def person(self, person: str) -> PersonFacts | None:
        if self.is_away:
            raise CouldNotVerify("unreachable")
        name = person.removeprefix("U0").lower()
        is_bot, is_guest, is_gone = person == BOT, person == GUS, person in self.left
        email = f"{name}@example.com"
        return PersonFacts(person, name, email, is_bot=is_bot, is_guest=is_guest, is_deleted=is_gone)
