"""What a person does: click, submit, run a command, say something. The page, scripts and tests act through this alone."""

from collections.abc import Mapping
from datetime import timedelta

from bot.workbench import payloads
from bot.workbench.acting import ActError
from bot.workbench.acts_in_views import ViewActs
from bot.workbench.journal import Ack
from bot.workbench.methods_views import view_object
from bot.workbench.replies import apply_reply
from bot.workbench.views import View
from bot.workbench.workspace import Conversation

__all__ = ["ActError", "Acts"]


class Acts(ViewActs):
    """Each method is one thing that a person does; it returns when the bot has acked or its time is up."""

    async def command(self, who: str, channel: str, text: str) -> Ack:
        """Run a slash command in a conversation; what the ack says is shown there.

        https://docs.slack.dev/interactivity/implementing-slash-commands
        """
        person, conversation = self._writer(who, channel)
        name, _, rest = text.strip().partition(" ")
        registered = self._bench.workspace.app.command(name)
        if registered is None or "commands" not in self._bench.workspace.scopes:
            raise ActError(f"{name} is not a valid command.")
        said = self._with_tokens(rest.strip()) if registered.should_escape else rest.strip()
        payload = payloads.command(self._bench, person, conversation, registered, said)
        ack = await self._courier.deliver("slash_commands", payload, accepts_response=True)
        if ack.ok:
            apply_reply(self._bench, person, conversation, ack.body)
        else:
            reason = "operation_timeout" if ack.outcome in ("late", "withheld") else "dispatch_failed"
            self._bench.screens.toast(person.id, f'{name} failed with the error "{reason}"')
        return ack

    async def shortcut(self, who: str, callback_id: str) -> Ack:
        """Choose a global shortcut, which stands in a menu that belongs to no conversation.

        https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
        """
        person = self._person(who)
        registered = self._shortcut("global", callback_id)
        return await self._interact(person, payloads.shortcut(self._bench, person, registered))

    def open_home(self, who: str) -> View | None:
        """Open the app's Home tab; what it shows now, which is nothing until the app has published something.

        https://docs.slack.dev/reference/events/app_home_opened
        """
        person = self._person(who)
        if not self._bench.workspace.app.home_tab:
            raise ActError("The app has no Home tab.")
        home = self._bench.screens.of(person.id).home
        shown = {} if home is None else {"view": view_object(self._bench, home)}
        self._tell_of_opening(person.id, "home", shown)
        return home

    def open_dm(self, who: str) -> Conversation:
        """Open the direct messages with the app."""
        person = self._person(who)
        self._tell_of_opening(person.id, "messages", {})
        return self._bench.workspace.dm_of(person.id)

    def dismiss(self, who: str, toast_id: str) -> None:
        self._bench.screens.dismiss(self._person(who).id, toast_id)

    async def move_clock(self, by: timedelta) -> None:
        """Bring the app's deadlines forward, and nothing else; where it has none for us, Slack's own instead.

        Slack's are how old triggers, response URLs and events that wait for their retry are.
        """
        if by <= timedelta():
            raise ActError("The clock moves forward alone.")
        if self._bench.on_clock is not None:
            await self._bench.on_clock(by)
        else:
            self._bench.aged += by
        self._bench.moved += by
        self._bench.workspace.changes.happened()

    def _tell_of_opening(self, person_id: str, tab: str, more: Mapping[str, object]) -> None:
        """`app_home_opened`, which needs no scope. That `view` is missing before the first publish is not documented."""
        dm = self._bench.workspace.dm_of(person_id)
        event = {"type": "app_home_opened", "user": person_id, "channel": dm.id, "tab": tab, **more}
        self._subscriptions.send({**event, "event_ts": self._bench.workspace.next_ts()})
