"""What people do in Slack about being away: they type it, press it in their Home tab, and are told; so is who stands in."""

from slack_bolt.async_app import AsyncAck

from actions.kit.policies.absences import Absence
from blocks.clicks import Command
from blocks.presence import UNTIL, WHOM, AwayForm, AwayPressed, away_view, presence_lines, stands_in_words
from blocks.text import mention
from bot.engine.going_away import GoingAway, Gone, NotAway
from bot.engine.stand_ins import StandIns
from bot.engine.tasks import OwnedTasks
from bot.slack.home_drawing import HomeDrawing
from bot.slack.modals import Modals
from bot.slack.whispers import Whispers

HERE = "You are here: nobody decides in your place, and nobody did."


class AwayDesk:
    """What is said is on disk before it is acknowledged; who stands in is told beside that."""

    def __init__(
        self,
        *,
        going_away: GoingAway,
        stand_ins: StandIns,
        drawing: HomeDrawing,
        modals: Modals,
        whispers: Whispers,
        tasks: OwnedTasks,
    ) -> None:
        self._going_away = going_away
        self._stand_ins = stand_ins
        self._drawing = drawing
        self._modals = modals
        self._whispers = whispers
        self._tasks = tasks

    async def away(self, command: Command, text: str) -> str:
        """`/signoff away …`; without anything how it stands."""
        if not text.strip():
            lines = presence_lines(await self._stand_ins.presence(command.person))
            hint = f"`{command.command} away until friday, ask @colleague` says that you are away, `{command.command} back` that you are back."
            return "\n".join([*lines, hint])
        match await self._going_away.by_words(command.person, text, via="slack"):
            case Gone(absence, words):
                self._tell_stand_in(absence)
                return f"{words} `{command.command} back` ends it."
            case NotAway(words):
                return words

    async def back(self, command: Command, _: str) -> str:
        """`/signoff back`."""
        return await self._end(command.person)

    async def pressed(self, click: AwayPressed) -> None:
        """A button of the Home tab."""
        if click.what == "open":
            self._modals.open(click, away_view())
        else:
            words = await self._end(click.person)
            self._tasks.spawn(self._whispers.tell(click.person, words, click.response_url), "a whisper")

    async def submitted(self, ack: AsyncAck, form: AwayForm) -> None:
        """The form of the Home tab. What is wrong is said at the field that it is about."""
        match await self._going_away.by_form(form):
            case Gone(absence, words):
                self._tell_stand_in(absence)
                self._tasks.spawn(self._whispers.tell(form.person, words), "a whisper")
                await ack()
            case NotAway(words, about):
                await ack(response_action="errors", errors={WHOM if about == "whom" else UNTIL: words})

    async def _end(self, person: str) -> str:
        ended = await self._going_away.back(person)
        if ended is None:
            return HERE
        self._tasks.spawn(self._whispers.tell(ended.stand_in, _ended_words(ended)), "a whisper")
        return f"Welcome back. {mention(ended.stand_in)} does not decide in your place any more."

    def _tell_stand_in(self, absence: Absence) -> None:
        self._tasks.spawn(self._told(absence), "a whisper")

    async def _told(self, absence: Absence) -> None:
        begun = absence.starts <= absence.at and not absence.by_status
        waiting = await self._drawing.in_place_of(absence) if begun else 0
        await self._whispers.tell(absence.stand_in, stands_in_words(absence, waiting))


def _ended_words(ended: Absence) -> str:
    return f"{mention(ended.person)} is back: you do not decide in their place any more."
