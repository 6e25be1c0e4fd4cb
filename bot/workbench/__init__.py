"""Our own local Slack for demos and tests: the unchanged bot talks to it as it talks to Slack."""
