"""The people file: what it may say, and that each mistake is told with its line."""

from datetime import datetime

import pytest

from bot.directory.people_file import PeopleFile, RotaPart, load_people, turn_at
from bot.settings import Settings
from bot.yaml_file import FileError

CALENDAR = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"
WHOLE = """\
managers:
  Rita@Example.com: dana@example.com
  U012ANN: [dana@example.com, U012EVE]
groups:
  finance: [ann@example.com, U012BEN]
rotas:
  payments:
    calendar: payments.ics
    names: {Omar O.: omar@example.com}
    timezone: Europe/Rome
  feed: {calendar: "https://calls.example.com/secret.ics"}
  search: {turns: [ann@example.com, U012BEN], since: 2026-11-30T09:00, days: 1}
  security: {people: dana@example.com}
  mailer: {group: mailer-on-call}
"""


@pytest.fixture
def written(tmp_path):
    (tmp_path / "payments.ics").write_text(CALENDAR)
    (tmp_path / "broken.ics").write_text("no calendar")

    def write(text):
        path = tmp_path / "people.yml"
        path.write_text(text)
        return path

    return write


def mistakes_of(path):
    with pytest.raises(FileError) as raised:
        load_people(path)
    return [mistake.removeprefix(f"{path.parent}/") for mistake in raised.value.mistakes]


def test_a_file_says_managers_groups_and_rotas_of_each_kind(written):
    people = load_people(written(WHOLE))
    assert people.said.managers == {
        "rita@example.com": ("dana@example.com",),
        "U012ANN": ("dana@example.com", "U012EVE"),
    }
    assert people.said.groups == {"finance": ("ann@example.com", "U012BEN")}
    assert [rota.given for rota in people.said.rotas.values()] == [
        *(["calendar"], ["calendar"], ["turns"], ["people"], ["group"])
    ]
    assert (people.where("groups", "finance"), people.where("rotas", "feed")) == ("people.yml:5", "people.yml:11")


def test_an_empty_file_and_no_file_say_nothing(written):
    assert load_people(written("")).said == PeopleFile().said


def test_the_worked_actions_have_a_file_that_loads():
    said = load_people(Settings().people_file).said
    assert said.managers
    assert said.groups
    assert said.rotas


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("managres: {}", "people.yml:1: managres is not known here; did you mean 'managers'?"),
        ("managers:\n  rita: dana@example.com", "people.yml:2: managers.rita must be an e-mail address such as"),
        ("managers:\n  U012ANN: dana", "people.yml:2: managers.U012ANN[1] must be an e-mail address such as"),
        ("managers:\n  U012ANN: U012ANN", "people.yml:2: managers.U012ANN is their own manager; leave out"),
        ("groups:\n  Fin Ance: []", "people.yml:2: groups.Fin Ance must be in small letters"),
        ("groups:\n  finance:\n    - U012ANN\n    - ben", "people.yml:4: groups.finance[2] must be an e-mail"),
        ("groups:\n  a: []\n  a: []", "people.yml:3: groups.a stands here for the second time, first on line 2"),
        ("rotas:\n  a: {}", "people.yml:2: rotas.a needs one of people, turns, group, calendar; it has none"),
        (
            "rotas:\n  a: {people: U012ANN, group: b}",
            "people.yml:2: rotas.a needs one of people, turns, group, calendar",
        ),
        ("rotas:\n  a:\n    turns: U012ANN", "people.yml:3: rotas.a.turns need `since`"),
        (
            "rotas:\n  a:\n    people: U012ANN\n    names: {Al: U012ANN}",
            "people.yml:4: rotas.a.names are for a calendar",
        ),
        ("rotas:\n  a:\n    calendar: none.ics", "people.yml:3: rotas.a.calendar cannot be read: no such file"),
        ("rotas:\n  a:\n    calendar: broken.ics", "people.yml:3: rotas.a.calendar is no iCalendar"),
        ("rotas:\n  a:\n    calendar: ftp://x.example/a", "people.yml:3: rotas.a.calendar must be a path, or begin"),
        ("rotas:\n  a:\n    calendar: http://x.example/a", "people.yml:3: rotas.a.calendar must be a path, or begin"),
        ("rotas:\n  a:\n    people: U012ANN\n    timezone: Rome", "people.yml:4: rotas.a.timezone must be a time zone"),
        ("rotas:\n  a:\n    turns: U012ANN\n    since: soon", "people.yml:4: rotas.a.since must be a date and time"),
        (
            "rotas:\n  a:\n    turns: U012ANN\n    since: 2026-11-30T09:00Z",
            "people.yml:4: rotas.a.since must not say a time zone",
        ),
        ("rotas:\n  a:\n    days: 0", "people.yml:3: rotas.a.days must be"),
        ("groups: [", "people.yml:1: is not YAML"),
    ],
)
def test_each_mistake_is_told_with_its_line(written, text, told):
    assert any(mistake.startswith(told) for mistake in mistakes_of(written(text))), mistakes_of(written(text))


def test_all_mistakes_are_told_at_once(written):
    text = "rotas:\n  a: {}\n  b: {}\nmanagers:\n  U012ANN: U012ANN\n"
    assert [mistake.partition(" ")[0] for mistake in mistakes_of(written(text))] == [
        *("people.yml:5:", "people.yml:2:", "people.yml:3:")
    ]


def test_a_file_that_is_not_there_is_told(tmp_path):
    assert mistakes_of(tmp_path / "people.yml") == ["people.yml: no such file or directory"]


@pytest.mark.parametrize(
    ("here", "who"),
    [
        ("2026-11-30T08:59", None),
        ("2026-11-30T09:00", "U012ANN"),
        ("2026-12-07T08:59", "U012ANN"),
        ("2026-12-07T09:00", "U012BEN"),
        ("2026-12-14T09:00", "U012ANN"),
        ("2027-03-29T08:59", "U012ANN"),  # summer time has begun by then, and nine is nine
        ("2027-03-29T09:00", "U012BEN"),
    ],
)
def test_a_turn_begins_at_the_hour_of_the_first(here, who):
    rota = RotaPart.model_validate({"turns": ["U012ANN", "U012BEN"], "since": "2026-11-30T09:00"})
    assert turn_at(rota, datetime.fromisoformat(here)) == who
