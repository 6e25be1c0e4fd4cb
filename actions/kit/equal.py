"""Which requests are equal: the same action with the same input, in whichever order its entries stand."""

import hashlib
import json


def equal_by(action_id: str, input_text: str) -> str:
    """The same text for equal requests, and for no others. `input_text` is validated JSON text."""
    # Numbers are compared as they are written: a float would take two long ones for one. No stored name has a NUL.
    value = json.loads(input_text, parse_float=lambda digits: {"\0": digits})
    told = json.dumps([action_id, value], sort_keys=True)
    return f"{action_id} {hashlib.sha256(told.encode()).hexdigest()}"
