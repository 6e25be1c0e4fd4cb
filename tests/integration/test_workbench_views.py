import pytest
from slack_sdk.errors import SlackApiError

from bot.workbench.bench import Timings
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import client_of, plain, reason_view


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture
def client(workbench):
    return client_of(workbench)


def trigger(workbench: Workbench, person: str = "U0ANN") -> str:
    return workbench.bench.triggers.new(person)


async def refusal(call):
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value.response.data


async def test_a_trigger_opens_one_modal_in_front_of_its_person(workbench, client):
    trigger_id = trigger(workbench)
    opened = await client.views_open(trigger_id=trigger_id, view=reason_view())
    modal = await workbench.person("ann").modal("Reject")
    assert (modal.id, modal.labels, modal.submit_label) == (opened["view"]["id"], ["Reason"], "Send")
    assert workbench.person("ben").open_modal is None
    again = await refusal(client.views_open(trigger_id=trigger_id, view=reason_view()))
    assert again["error"] == "exchanged_trigger_id"


async def test_a_trigger_that_is_unknown_or_too_old_opens_nothing():
    async with Workbench(timings=Timings(trigger=-1)) as workbench:
        client = client_of(workbench)
        expired = await refusal(client.views_open(trigger_id=trigger(workbench), view=reason_view()))
        invented = await refusal(client.views_open(trigger_id="1.2.abc", view=reason_view()))
    assert (expired["error"], invented["error"]) == ("expired_trigger_id", "invalid_trigger_id")


async def test_mistakes_in_a_view_come_back_with_pointers(workbench, client):
    view = reason_view(title="x" * 25)
    refused = await refusal(client.views_open(trigger_id=trigger(workbench), view=view))
    assert refused["error"] == "invalid_arguments"
    assert refused["response_metadata"]["messages"] == [
        "[ERROR] must be less than 25 characters [json-pointer:/view/title/text]"
    ]


async def test_a_view_of_a_quarter_megabyte_is_too_large(workbench, client):
    view = reason_view(blocks=[{"type": "section", "text": plain("x" * 2900)} for _ in range(90)])
    refused = await refusal(client.views_open(trigger_id=trigger(workbench), view=view))
    assert refused["error"] == "view_too_large"


async def test_three_modals_lie_on_each_other_and_no_fourth(workbench, client):
    await client.views_open(trigger_id=trigger(workbench), view=reason_view("One"))
    await client.views_push(trigger_id=trigger(workbench), view=reason_view("Two"))
    third = await client.views_push(trigger_id=trigger(workbench), view=reason_view("Three"))
    refused = await refusal(client.views_push(trigger_id=trigger(workbench), view=reason_view("Four")))
    assert refused["error"] == "push_limit_reached"
    ann = workbench.person("ann")
    assert third["view"]["previous_view_id"] != third["view"]["root_view_id"] != third["view"]["id"]
    await ann.close(await ann.modal("Three"))
    assert (await ann.modal()).title == "Two"


async def test_a_push_needs_a_modal_to_lie_on(workbench, client):
    refused = await refusal(client.views_push(trigger_id=trigger(workbench), view=reason_view()))
    assert refused["error"] == "not_found"


async def test_an_update_under_an_old_hash_is_refused(workbench, client):
    view = (await client.views_open(trigger_id=trigger(workbench), view=reason_view()))["view"]
    await client.views_update(view_id=view["id"], hash=view["hash"], view=reason_view("Second"))
    refused = await refusal(client.views_update(view_id=view["id"], hash=view["hash"], view=reason_view("Third")))
    assert refused["error"] == "hash_conflict"
    assert workbench.person("ann").open_modal.title == "Second"


async def test_a_closed_modal_cannot_be_updated(workbench, client):
    view = (await client.views_open(trigger_id=trigger(workbench), view=reason_view()))["view"]
    await workbench.person("ann").close(workbench.person("ann").open_modal)
    refused = await refusal(client.views_update(view_id=view["id"], view=reason_view()))
    assert refused["error"] == "not_found"


async def test_what_was_typed_survives_an_update_only_under_the_same_ids(workbench, client):
    view = (await client.views_open(trigger_id=trigger(workbench), view=reason_view()))["view"]
    modal = workbench.person("ann").open_modal
    modal.view.enter(modal.filled({"Reason": "too dear"}))
    same = await client.views_update(view_id=view["id"], view=reason_view("Same"))
    assert same["view"]["state"]["values"]["reason"]["value"]["value"] == "too dear"
    other = reason_view("Other")
    other["blocks"][0]["block_id"] = "reason-2"
    await client.views_update(view_id=view["id"], view=other)
    assert modal.values == {"Reason": None}


async def test_an_external_id_belongs_to_one_open_view(workbench, client):
    await client.views_open(trigger_id=trigger(workbench), view=reason_view(external_id="run-1"))
    twice = client.views_open(trigger_id=trigger(workbench, "U0BEN"), view=reason_view(external_id="run-1"))
    assert (await refusal(twice))["error"] == "duplicate_external_id"
    assert (await client.views_update(external_id="run-1", view=reason_view(external_id="run-1")))["ok"]


async def test_a_home_tab_is_published_and_replaced(workbench, client):
    workbench.workspace.app.home_tab = True
    home = {"type": "home", "blocks": [{"type": "section", "text": plain("Nothing waits for you")}]}
    first = await client.views_publish(user_id="U0ANN", view=home)
    second = await client.views_publish(user_id="U0ANN", view=home, hash=first["view"]["hash"])
    assert first["view"]["id"] == second["view"]["id"]
    stale = client.views_publish(user_id="U0ANN", view=home, hash=first["view"]["hash"])
    assert (await refusal(stale))["error"] == "hash_conflict"
    workbench.workspace.app.home_tab = False
    assert (await refusal(client.views_publish(user_id="U0ANN", view=home)))["error"] == "not_enabled"
