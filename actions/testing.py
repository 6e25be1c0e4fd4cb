"""The test kit for authors: see `actions.kit.trial`.

trial = await run(send_message, {"recipient": "Ben", "body": "Hello"}, resources=[ledger])
trial = await trial.answer("approve")
assert trial.output == Sent(recipient="Ben")
"""

from actions.kit.errors import AnswerError
from actions.kit.trial import Trial, run

__all__ = ["AnswerError", "Trial", "run"]
