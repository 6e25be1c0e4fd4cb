"""Files: uploaded in three steps, shown in a message, fetched with a token, and given by people in a form."""

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from bot.workbench.acts import ActError
from bot.workbench.seed import BOT_SCOPES, acme
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import TRANSPORTS, app_of, client_of, plain, serving

SCOPES = BOT_SCOPES | {"files:write", "files:read"}


@pytest.fixture
async def workbench():
    async with Workbench(workspace=acme(bot_scopes=SCOPES)) as workbench:
        yield workbench


@pytest.fixture
def client(workbench):
    return client_of(workbench)


@pytest.fixture
async def session(workbench):
    async with aiohttp.ClientSession() as session:
        yield session


async def refusal(call):
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value.response["error"]


async def sent(client, session, content: bytes = b"a,b\n1,2\n", *, name: str = "data.csv") -> str:
    """The id of a file whose bytes have come, not completed."""
    asked = await client.files_getUploadURLExternal(filename=name, length=len(content))
    async with session.post(asked["upload_url"], data=content) as answer:
        assert (answer.status, await answer.text()) == (200, f"OK - {len(content)}")
    return str(asked["file_id"])


async def test_the_sdks_upload_shows_a_file_in_a_thread(workbench, client, session):
    card = await client.chat_postMessage(channel="C0APPROVALS", text="Card")
    await client.files_upload_v2(
        channel="C0APPROVALS",
        thread_ts=card["ts"],
        filename="data.csv",
        title="The data",
        content="a,b\n1,2\n",
        initial_comment="All of it",
    )
    ann = workbench.person("ann")
    (reply,) = ann.thread(ann.messages("#approvals")[0])
    assert (reply.text, [file.title for file in reply.message.files]) == ("All of it", ["The data"])
    listed = (await client.conversations_replies(channel="C0APPROVALS", ts=card["ts"]))["messages"][1]
    (file,) = listed["files"]
    assert (file["name"], file["size"], file["mimetype"], file["user"]) == ("data.csv", 8, "text/csv", "U0SIGNOFF")
    bearer = {"Authorization": f"Bearer {workbench.bot_token}"}
    async with session.get(file["url_private"], headers=bearer) as answer:
        assert await answer.read() == b"a,b\n1,2\n"


async def test_the_bytes_are_behind_a_token_with_the_scope_for_them(workbench, client, session):
    file_id = await sent(client, session)
    await client.files_completeUploadExternal(files=[{"id": file_id}], channel_id="C0APPROVALS")
    url = (await client.files_info(file=file_id))["file"]["url_private"]
    for headers in ({}, {"Authorization": "Bearer xoxb-wrong"}, {"Authorization": f"Bearer {workbench.app_token}"}):
        async with session.get(url, headers=headers) as answer:
            assert b"Sign in" in await answer.read()


async def test_a_person_fetches_what_was_shared_where_they_are(workbench, client, session):
    file_id = await sent(client, session, b"<script>", name="page.html")
    await client.files_completeUploadExternal(files=[{"id": file_id}], channel_id="C0OPS")
    url = f"{workbench.url}workbench/files/{file_id}"
    async with session.get(url, params={"as": "omar"}) as answer:
        assert (await answer.read(), answer.content_type) == (b"<script>", "application/octet-stream")
        assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''page.html"
    for who in ("ben", "nobody", ""):
        async with session.get(url, params={"as": who}) as answer:
            assert answer.status == 404


async def test_an_upload_takes_the_announced_bytes_and_no_others(client, session):
    asked = await client.files_getUploadURLExternal(filename="x.txt", length=3)
    async with session.post(asked["upload_url"], data=b"four") as answer:
        assert answer.status == 400
    complete = {"files": [{"id": asked["file_id"]}]}
    assert await refusal(client.files_completeUploadExternal(**complete)) == "file_not_found"
    async with session.post(asked["upload_url"], data=b"abc") as answer:
        assert answer.status == 200
    assert (await client.files_completeUploadExternal(**complete))["files"] == [
        {"id": asked["file_id"], "title": "x.txt"}
    ]
    assert await refusal(client.files_completeUploadExternal(**complete)) == "file_not_found"
    async with session.post(asked["upload_url"], data=b"xyz") as answer:
        assert answer.status == 404


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ({"channel_id": "C0NOWHERE"}, "channel_not_found"),
        ({"channel_id": "C0APPROVALS"}, "not_in_channel"),
        ({"channels": ["C0GENERAL", "C0OPS"], "thread_ts": "1.2"}, "invalid_arguments"),
        ({"channel_id": "C0GENERAL", "thread_ts": "1.2"}, "cannot_reply_to_message"),
    ],
)
async def test_a_file_is_shared_where_the_bot_is(workbench, client, session, where, error):
    workbench.workspace.leave("#approvals", "signoff")
    file_id = await sent(client, session)
    assert await refusal(client.files_completeUploadExternal(files=[{"id": file_id}], **where)) == error
    assert (await client.files_completeUploadExternal(files=[{"id": file_id}], channel_id="C0GENERAL"))["ok"]


async def test_uploads_need_their_scope_and_a_length(client):
    async with Workbench(workspace=acme(bot_scopes=frozenset({"chat:write"}))) as workbench:
        asked = client_of(workbench).files_getUploadURLExternal(filename="x", length=1)
        assert await refusal(asked) == "missing_scope"
    assert await refusal(client.files_getUploadURLExternal(filename="x", length=0)) == "invalid_arguments"
    long = client.files_getUploadURLExternal(filename="x", length=1, alt_txt="x" * 1001)
    assert await refusal(long) == "alt_txt_too_large"


async def test_a_deleted_file_is_gone_from_its_message(workbench, client, session):
    file_id = await sent(client, session)
    await client.files_completeUploadExternal(files=[{"id": file_id}], channel_id="C0APPROVALS")
    await client.files_delete(file=file_id)
    assert await refusal(client.files_info(file=file_id)) == "file_not_found"
    assert workbench.person("ann").messages("#approvals")[0].message.files == []


def form(**more) -> dict:
    element = {"type": "file_input", "action_id": "v", **more}
    block = {"type": "input", "block_id": "f", "label": plain("Receipt"), "element": element}
    return {
        "type": "modal",
        "callback_id": "form",
        "title": plain("Form"),
        "submit": plain("Send"),
        "blocks": [block],
    }


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_person_gives_a_file_in_a_form_and_the_app_reads_it(workbench, client, session, transport):
    app, given = app_of(workbench), []

    @app.view("form")
    async def on_form(ack, view):
        await ack()
        given.extend(view["state"]["values"]["f"]["v"]["files"])

    async with serving(app, workbench, transport):
        await client.views_open(trigger_id=workbench.bench.triggers.new("U0ANN"), view=form())
        ann = workbench.person("ann")
        receipt = ann.upload("receipt.pdf", b"%PDF")
        assert (await ann.submit(await ann.modal("Form"), {"Receipt": [receipt]})).closed
    (file,) = given
    assert (file["name"], file["mimetype"], file["user"]) == ("receipt.pdf", "application/pdf", "U0ANN")
    assert (await client.files_info(file=file["id"]))["file"]["size"] == 4
    async with session.get(
        file["url_private_download"], headers={"Authorization": f"Bearer {workbench.bot_token}"}
    ) as answer:
        assert await answer.read() == b"%PDF"


async def test_a_form_takes_so_many_files_of_these_kinds_and_only_ones_own(workbench, client):
    await client.views_open(trigger_id=workbench.bench.triggers.new("U0ANN"), view=form(max_files=1, filetypes=["pdf"]))
    ann = workbench.person("ann")
    modal = await ann.modal("Form")
    two = [ann.upload("a.pdf", b"1"), ann.upload("b.pdf", b"2")]
    assert (await ann.submit(modal, {"Receipt": two})).errors == {"Receipt": "Please choose at most 1."}
    wrong = await ann.submit(modal, {"Receipt": [ann.upload("a.exe", b"1")]})
    assert wrong.errors == {"Receipt": "Please choose files of these kinds: pdf."}
    with pytest.raises(ActError, match="no such file"):
        await ann.submit(modal, {"Receipt": [workbench.person("ben").upload("a.pdf", b"1")]})


async def test_a_form_for_files_needs_the_scope_to_read_them():
    async with Workbench() as workbench:
        trigger_id = workbench.bench.triggers.new("U0ANN")
        assert await refusal(client_of(workbench).views_open(trigger_id=trigger_id, view=form())) == "missing_scope"


async def test_a_file_of_somebody_elses_is_nothing_to_an_app_that_was_not_given_it(workbench, client):
    ann = workbench.person("ann")
    file_id = ann.upload("diary.txt", b"Dear diary")["id"]
    assert await refusal(client.files_info(file=file_id)) == "file_not_found"
    ann.say("Look", "#approvals", files=[{"id": file_id}])
    assert (await client.files_info(file=file_id))["file"]["name"] == "diary.txt"
