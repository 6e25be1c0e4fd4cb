"""What somebody is told whose request is the same as one that is still open: that they joined it, and which it is."""

from actions.kit.records.runs import RunRecord
from blocks.text import clip, date_token, escape, mention, one_line

NAME = 60
TITLE = "Joined"


def joined_words(run: RunRecord, person: str) -> str:
    """Mrkdwn for the person who asked for the same."""
    which = f"“{escape(clip(one_line(run.action_name), NAME))}” (`{run.id}`)"
    if person == run.requester:
        return f"You asked for the same {date_token(run.created_at)}, and that is still open: {which}. Nothing was started twice."
    return (
        f"{mention(run.requester)} asked for the same {date_token(run.created_at)}, and that is still open. "
        f"You joined that request: {which}. Nobody is asked twice, and you hear how it ends."
    )
