"""A plain Bolt app with a listener of each kind, which knows nothing of Signoff: `signoff workbench` serves it as Slack does.

It takes Socket Mode where SLACK_APP_TOKEN is set, and HTTP on PORT otherwise.
"""

# ruff: noqa: INP001 - an example by itself, not a package

import os
import re
from collections.abc import Callable
from typing import Any

from slack_bolt import Ack, App, Respond, Say
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

Json = dict[str, Any]

PLACES = ("Alte Post", "Bar Roma", "Blue Fish", "Café Central", "The Green Table")


def make_app() -> App:
    client = WebClient(os.environ["SLACK_BOT_TOKEN"], base_url=os.environ.get("SLACK_API_URL", WebClient.BASE_URL))
    app = App(client=client, signing_secret=os.environ.get("SLACK_SIGNING_SECRET"))
    app.message(re.compile("hungry", re.IGNORECASE))(on_hunger)
    app.event("message")(on_any_message)
    app.event("app_mention")(on_mention)
    app.event("app_home_opened")(on_home)
    app.command("/lunch")(on_command)
    app.shortcut("suggest_lunch")(on_shortcut)
    app.shortcut("remember_place")(on_message_shortcut)
    app.options("place")(on_search)
    app.view("lunch")(on_submission)
    app.view_closed("lunch")(on_closed)
    app.action("join")(on_join)
    app.action("again")(on_shortcut)
    return app


def on_hunger(message: Json, say: Say) -> None:
    say(f"Then type `/lunch`, <@{message['user']}>.", thread_ts=message["ts"])


def on_any_message() -> None:
    """Bolt answers 404 to what no listener takes, and Slack would send it again and again."""


def on_mention(event: Json, say: Say) -> None:
    say(f"Lunch is at noon, <@{event['user']}>.")


def on_home(event: Json, client: WebClient) -> None:
    if event["tab"] == "home":
        again = {"type": "actions", "elements": [button("Suggest lunch", "again")]}
        view = {"type": "home", "blocks": [section("*Nobody has to eat alone.*"), again]}
        client.views_publish(user_id=event["user"], view=view)


def on_command(ack: Ack, command: Json, client: WebClient) -> None:
    if command["text"] == "help":
        ack("`/lunch` suggests a place.")
        return
    ack()
    client.views_open(trigger_id=command["trigger_id"], view=form(command["channel_id"]))


def on_shortcut(ack: Ack, body: Json, client: WebClient) -> None:
    ack()
    client.views_open(trigger_id=body["trigger_id"], view=form(""))


def on_message_shortcut(ack: Ack, shortcut: Json, client: WebClient) -> None:
    ack()
    message, where = shortcut["message"], shortcut["channel"]["id"]
    client.chat_postMessage(channel=where, thread_ts=message["ts"], text=f"Remembered: {message['text']}")


def on_search(ack: Ack, payload: Json) -> None:
    found = [place for place in PLACES if payload["value"].lower() in place.lower()]
    ack(options=[{"text": plain(place), "value": place} for place in found])


def on_submission(ack: Ack, body: Json, view: Json, client: WebClient) -> None:
    place = view["state"]["values"]["place"]["place"]["selected_option"]["value"]
    note = view["state"]["values"]["note"]["note"]["value"] or "No note."
    if place == "Blue Fish":
        ack(response_action="errors", errors={"place": "It is closed today."})
        return
    ack()
    who = body["user"]["id"]
    join = {"type": "actions", "elements": [button("Join", "join")]}
    blocks = [section(f"<@{who}> suggests *{place}*. {note}"), join]
    client.chat_postMessage(channel=view["private_metadata"] or who, text=f"Lunch at {place}", blocks=blocks)


def on_closed(ack: Ack, body: Json, client: WebClient) -> None:
    ack()
    client.chat_postMessage(channel=body["user"]["id"], text="Another time, then.")


def on_join(ack: Ack, body: Json, respond: Respond) -> None:
    ack()
    respond(replace_original=True, text=f"{body['message']['text']}: <@{body['user']['id']}> comes too.")


def form(channel: str) -> Json:
    """The modal; `channel` is where the suggestion goes."""
    place = {"type": "external_select", "action_id": "place", "min_query_length": 1}
    note = {"type": "plain_text_input", "action_id": "note"}
    blocks = [
        {"type": "input", "block_id": "place", "label": plain("Place"), "element": place},
        {"type": "input", "block_id": "note", "label": plain("Note"), "element": note, "optional": True},
    ]
    head = {"type": "modal", "callback_id": "lunch", "title": plain("Lunch"), "submit": plain("Suggest")}
    return {**head, "notify_on_close": True, "private_metadata": channel, "blocks": blocks}


def button(label: str, action_id: str) -> Json:
    return {"type": "button", "text": plain(label), "action_id": action_id}


def section(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


if __name__ == "__main__":
    serve: Callable[[], object]
    if "SLACK_APP_TOKEN" in os.environ:
        serve = SocketModeHandler(make_app(), os.environ["SLACK_APP_TOKEN"]).start
    else:
        app = make_app()
        serve = lambda: app.start(int(os.environ.get("PORT", "3000")))  # noqa: E731 - the one line that differs
    serve()
