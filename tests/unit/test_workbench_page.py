"""The page of the workbench runs on its own files alone, and lets no data in as markup."""

import re
from pathlib import Path

import pytest

import bot

PAGE = Path(bot.__file__).parent / "workbench" / "page"
FILES = sorted(path.name for path in PAGE.iterdir())
MODULES = [name for name in FILES if name.endswith(".js")]
NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'  # a name, which nobody fetches


def text_of(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def imports_of(module: str) -> set[str]:
    return set(re.findall(r'^import .*?"\./([\w.]+)";$', text_of(module), flags=re.MULTILINE | re.DOTALL))


def reachable_from(module: str) -> set[str]:
    seen: set[str] = set()
    waiting = {module}
    while waiting:
        name = waiting.pop()
        seen.add(name)
        waiting |= imports_of(name) - seen
    return seen


def test_every_file_of_the_page_is_used():
    named = set(re.findall(r'"/page/([\w.]+)"', text_of("index.html")))
    assert named | reachable_from("app.js") | {"index.html"} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_fetched_from_elsewhere(name):
    text = text_of(name).replace(NAMESPACE, "")
    assert not re.search(r"https?://|@import|\burl\(", text)


@pytest.mark.parametrize("name", MODULES)
def test_data_never_becomes_markup(name):
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|new Function"
    assert not re.search(forbidden, text_of(name))


@pytest.mark.parametrize("name", MODULES)
def test_only_one_module_writes_addresses_that_come_from_data(name):
    addresses = re.findall(r"\bhref: (.+?)[,}]", text_of(name))
    own = [address for address in addresses if address.startswith("`/?as=")]
    assert addresses == own or name == "links.js"


def test_links_go_to_the_web_and_to_mail_alone():
    assert 'new Set(["http:", "https:", "mailto:"])' in text_of("links.js")
    assert 'rel: "noopener noreferrer"' in text_of("links.js")


def test_the_page_has_no_inline_script_and_no_inline_style():
    html = text_of("index.html")
    assert re.findall(r"<script\b[^>]*>(.*?)</script>", html, flags=re.DOTALL) == [""]
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)


def test_every_picture_that_a_module_names_is_in_the_sheet():
    drawn = set(re.findall(r'<symbol id="icon-(\w+)"', text_of("index.html")))
    named = {name for module in MODULES for name in re.findall(r'\bicon\("(\w+)"', text_of(module))}
    assert named <= drawn


def test_every_module_says_why_it_exists():
    assert [name for name in MODULES if not text_of(name).startswith("/** ")] == []
