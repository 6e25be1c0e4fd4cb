"""Random stories of who decides, around real runners and stores, beside a model of what the documentation says.

`rules`, `world`, `clock`, `request` and `grants` are the model: plain Python that calls none of the project's code, written
from docs/policies.md, people.md, conversation.md and grants.md. The other rooms tell the stories: `machine` joins them.
"""
