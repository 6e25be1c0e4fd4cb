"""The example on the page about people is a file that loads."""

import re
from pathlib import Path

from bot.directory.people_file import SOURCES, load_people

PAGE = Path(__file__).parents[2] / "docs" / "people.md"


def test_the_file_that_it_shows_loads_and_has_a_rota_of_each_kind(tmp_path):
    [text] = re.findall(r"^<!-- example -->\n```yaml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "people.yml").write_text(text)
    said = load_people(tmp_path / "people.yml").said
    assert {source for rota in said.rotas.values() for source in rota.given} == set(SOURCES)
    assert said.managers
    assert said.groups
