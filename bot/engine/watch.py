"""What the engine room tells whoever measures it; by itself nobody listens."""

from actions.kit.records.interrupts import Card


class Watch:
    """Called on the bot's loop, after the commit. What overrides this must not wait, nor raise."""

    def executed(self, action_id: str, outcome: str) -> None:
        """One execution ended: the run's new state, `paused`, `asked_again`, or `fenced` where somebody else had it."""

    def decided(self, card: Card) -> None:
        """Somebody's answer settled an interrupt."""
