"""The machine that tells all of these stories."""

from tests.integration.deciding.acting import Acting
from tests.integration.deciding.at_once import AtOnce


class Deciding(Acting, AtOnce):
    """Five people, a guest and a bot work on a few runs of five actions, whose policies are edited meanwhile."""
