"""What Slack sends, handed to the runner; and the runner's answer, given back within the ack.

Everything comes through one door, so that nothing stays unacknowledged and a hundred actions cost what one costs. The
runner commits first, then the ack goes out. Opening a form and telling somebody something run beside the ack, in tasks
that are drained at the end.
"""

from typing import Any, assert_never

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.response import BoltResponse

from blocks.card import Message
from blocks.clicks import (
    Act,
    Click,
    FormClick,
    Order,
    Other,
    Turn,
    parse_click,
    parse_command,
)
from blocks.comments import parse_comment
from blocks.details_clicks import parse_details_click
from blocks.digest import DigestClick, parse_digest_click
from blocks.form import choose_view
from blocks.grants import revoked_words
from blocks.home_clicks import parse_home_opened, parse_home_turn, who_is_home
from blocks.mentions import parse_said
from blocks.nudging import nudged_words
from blocks.presence import parse_away_click, parse_away_form
from blocks.quotes import parse_about_message
from blocks.results import parse_result_click
from blocks.starts import ABOUT_MESSAGE, parse_begin, parse_pick, parse_start_shortcut
from blocks.together import parse_together
from bot.engine import refusals
from bot.engine.results import (
    ActDone,
    CancelDone,
    Checking,
    Counted,
    Details,
    FieldErrors,
    GrantRevoked,
    NudgeDone,
    OpenAct,
    OpenChooser,
    OpenForm,
    OpenInput,
    Refusal,
    Settled,
)
from bot.engine.runner import Runner
from bot.engine.tasks import OwnedTasks
from bot.slack.away import AwayDesk
from bot.slack.commands import Commands
from bot.slack.details import DetailsModal
from bot.slack.digests import Digests
from bot.slack.forms import FormListeners, form_view
from bot.slack.home import HomeTab
from bot.slack.mentions import Mentions
from bot.slack.modals import Modals
from bot.slack.results import ResultModal
from bot.slack.shortcuts import Starts
from bot.slack.stuck import StuckList
from bot.slack.together import TogetherModal
from bot.slack.whispers import Whispers
from storage.results import Ordered, Redelivering

log = structlog.get_logger(__name__)


class Listeners:
    """Registered once on the Bolt app."""

    def __init__(
        self,
        *,
        runner: Runner,
        commands: Commands,
        starts: Starts,
        home: HomeTab,
        away: AwayDesk,
        digests: Digests,
        mentions: Mentions,
        details: DetailsModal,
        results: ResultModal,
        modals: Modals,
        whispers: Whispers,
        tasks: OwnedTasks,
    ) -> None:
        self._runner = runner
        self._commands = commands
        self._starts = starts
        self._home = home
        self._away = away
        self._digests = digests
        self._mentions = mentions
        self._stuck = StuckList(runner, modals)
        self._together = TogetherModal(runner=runner, home=home, modals=modals, whispers=whispers, tasks=tasks)
        self._forms = FormListeners(runner=runner, modals=modals, whispers=whispers, tasks=tasks)
        self._details = details
        self._results = results
        self._modals = modals
        self._whispers = whispers
        self._tasks = tasks

    def register(self, app: AsyncApp) -> None:
        """As middleware, after Bolt's own: the matching of its listeners breaks on payloads that lack what it expects."""
        app.use(self.on_request)

    async def on_request(self, ack: AsyncAck, body: dict[str, Any]) -> BoltResponse | None:
        """Whatever Slack sends. What is not for us (other events and shortcuts, junk) is acknowledged, no more."""
        match body.get("type"):
            case "block_actions":
                await self.on_click(ack, body)
            case "view_submission":
                await self.on_submission(ack, body)
            case "event_callback" | "shortcut" | "message_action":
                await self.on_event_or_shortcut(ack, body)
            case "block_suggestion":
                await self._forms.on_suggestion(ack, body)
            case "dialog_suggestion":
                await ack(options=[])
            case None if "command" in body:
                await self.on_command(ack, body)
            case _:
                await ack()
        return ack.response

    async def on_click(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """What is pressed on a card, in a message, in the Home tab, in the operators' list or in a form."""
        if turn := parse_home_turn(body):
            await self._home.turn(turn)
        elif begin := parse_begin(body):
            await self._starts.begin(begin)
        elif away := parse_away_click(body):
            await self._away.pressed(away)
        elif digest := parse_digest_click(body):
            await self._switch_digest(digest)
        elif together := parse_together(body):
            self._tasks.spawn(self._together.pressed(together), "answers together")
        elif result := parse_result_click(body):
            self._tasks.spawn(self._results.pressed(result), "a result")
        elif turned := parse_details_click(body):
            self._tasks.spawn(self._details.pressed(turned), "details")
        else:
            await self._pressed(body)
        await ack()

    async def on_submission(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """The modal that asks what to start, the one in which somebody says that they are away, or one of our forms."""
        if pick := parse_pick(body):
            await self._starts.on_pick(ack, pick)
        elif form := parse_away_form(body):
            await self._away.submitted(ack, form)
        else:
            await self._forms.on_submission(ack, body)

    async def on_event_or_shortcut(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Somebody wrote to the bot, opened their Home tab, or wants to start something from anywhere in Slack."""
        if comment := parse_comment(body):
            await self._runner.comment(comment)
        if said := parse_said(body):
            await self._mentions.heard(said)
        elif opened := parse_home_opened(body):
            await self._home.opened(opened)
        elif begin := parse_start_shortcut(body):
            await self._starts.begin(begin)
        elif message := parse_about_message(body, ABOUT_MESSAGE):
            self._starts.ask_about(message)
        await ack()

    async def _pressed(self, body: dict[str, Any]) -> None:
        match parse_click(body):
            case Click() as click:
                await self._choice(click)
            case Act() as act:
                await self._act(act)
            case Order() as order:
                await self._order(order)
            case FormClick() as pressed:
                await self._forms.on_click(pressed)
            case Turn() as turn:
                self._tasks.spawn(self._stuck.turn(turn), "a list")
            case Other() as other:
                self._not_understood(other)
        if person := who_is_home(body):
            self._tasks.spawn(self._home.look_again(person), "a Home tab")

    async def on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """`/signoff`, with whatever was typed after it."""
        command = parse_command(body)
        if isinstance(command, Other):
            log.warning("command_not_understood", reason=command.reason)
            await ack()
            return
        match await self._commands.run(command):
            case Message(text, blocks):
                await ack(text=text, blocks=blocks)
            case str(text):
                await ack(text)
            case None:
                await ack()

    async def _choice(self, click: Click) -> None:
        match await self._runner.click(click):
            case OpenForm() as form:
                self._modals.open(click, form_view(form))
            case OpenChooser(card):
                self._modals.open(click, choose_view(card))
            case FieldErrors(problems):
                self._tell(click, refusals.of_problems(problems))
            case Refusal(text):
                self._tell(click, text)
            case Checking(later):
                self._tasks.spawn(self._tell_later(click, later), "a late check")
            case Settled() | Counted():
                pass
            case other:
                assert_never(other)

    async def _switch_digest(self, click: DigestClick) -> None:
        """In the Home tab it shows there."""
        words = await self._digests.switch(click)
        if click.response_url:
            self._tasks.spawn(self._whispers.tell(click.person, words, click.response_url), "a whisper")

    async def _act(self, act: Act) -> None:
        """What was done shows in the Home tab itself, where it was done there."""
        match await self._runner.press(act):
            case OpenAct() as form:
                self._modals.open(act, form_view(form))
            case ActDone(text=words):
                if words and act.response_url:
                    self._tell(act, words)
            case Refusal(text):
                self._tell(act, text)

    async def _tell_later(self, click: Click, later: Any) -> None:
        try:
            result = await later
        except Exception:
            await self._whispers.tell(click.person, refusals.BROKE_OFF, click.response_url)
            raise
        match result:
            case FieldErrors(problems):
                await self._whispers.tell(click.person, refusals.of_problems(problems), click.response_url)
            case Refusal(text):
                await self._whispers.tell(click.person, text, click.response_url)

    async def _order(self, order: Order) -> None:
        result = await self._runner.order(order)
        if order.in_list:
            self._tasks.spawn(self._stuck.after(order, result), "a list")
            return
        if order.in_details:
            self._tasks.spawn(self._details.after(order, result), "details")
            return
        match result:
            case Details():
                self._tasks.spawn(self._details.open(order, result), "details")
            case OpenInput() as form:
                self._modals.open(order, form_view(form))
            case NudgeDone(card) if order.response_url:
                self._tell(order, nudged_words(card))
            case GrantRevoked(grant):
                self._tell(order, revoked_words(grant))
            case Refusal(text):
                self._tell(order, text)
            case Ordered() | Redelivering() | CancelDone() | NudgeDone():
                pass
            case other:
                assert_never(other)

    def _tell(self, whom: Click | Act | Order, text: str) -> None:
        self._tasks.spawn(self._whispers.tell(whom.person, text, whom.response_url), "a whisper")

    def _not_understood(self, other: Other) -> None:
        if not other.ours or other.person is None:
            return
        log.warning("click_not_understood", reason=other.reason)
        self._tasks.spawn(self._whispers.tell(other.person, refusals.OLDER_CARD, other.response_url), "a whisper")
