"""auth.test and apps.connections.open: who the token is, and where to connect."""

from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.socket_mode import SocketMode


def auth_test(call: MethodCall) -> Answer:
    workspace, app = call.bench.workspace, call.bench.workspace.app
    return {
        "url": f"https://{workspace.domain}.slack.com/",
        "team": workspace.name,
        "user": workspace.people[app.user].name,
        "team_id": workspace.team_id,
        "user_id": app.user,
        "bot_id": app.bot_id,
        "is_enterprise_install": False,
    }


def auth_methods(sockets: SocketMode) -> tuple[Method, ...]:
    def connections_open(call: MethodCall) -> Answer:
        return {"url": sockets.new_url(call.bench.origin)}

    return (
        Method("auth.test", auth_test, token="any"),  # noqa: S106 - a kind of token
        Method(
            "apps.connections.open",
            connections_open,
            scopes=frozenset({"connections:write"}),
            token="app",  # noqa: S106 - a kind of token
        ),
    )
