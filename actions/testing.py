"""The test kit for authors: see `actions.kit.trial`; and `with_model`, by which an agent is tried without a provider.

trial = await run(send_message, {"recipient": "Ben", "body": "Hello"}, resources=[ledger])
trial = await trial.answer("approve")
assert trial.output == Sent(recipient="Ben")
"""

from actions.kit.agents.declared import with_model
from actions.kit.errors import AnswerError
from actions.kit.trial import Trial, run

__all__ = ["AnswerError", "Trial", "run", "with_model"]
