"""`signoff doctor`: everything that the bot needs, seen from where it runs; and how to mend what is wrong."""

from collections.abc import Sequence
from dataclasses import asdict

from rich.markup import escape

from actions.kit.registry import Registry
from blocks.text import one_line
from bot import logs
from bot.cli.manifest import FILE
from bot.cli.progress import progress
from bot.cli.records import find_run, opened
from bot.cli.show import aligned, out, print_json, safe
from bot.doctor.findings import Finding, Health, worst
from bot.doctor.visit import examine, examine_run
from bot.engine.lives import life_of
from bot.settings import Settings

MARKS = {Health.OK: "[green]✔[/]", Health.WARN: "[yellow]![/]", Health.FAIL: "[bold red]✘[/]"}
QUIET = "error"


async def run_doctor(run: str | None, *, as_json: bool) -> int:
    """Print what was found, of one run where one is given. The status: 1 where something fails, else 0."""
    logs.set_up("console", QUIET)
    if run is None:
        with progress("Looking up in Slack") as tell:
            findings = await examine(FILE, tell)
    else:
        findings = await _of_run(run)
    health = worst(findings)
    if as_json:
        print_json({"health": health, "findings": [asdict(finding) for finding in findings]})
    else:
        _print(findings, health)
    return 1 if health is Health.FAIL else 0


async def _of_run(given: str) -> list[Finding]:
    settings = Settings.load()
    registry = Registry.load(settings.actions)
    async with opened(settings) as store:
        life = await life_of(store, registry, await find_run(store, given))
    return await examine_run(settings, life)


def _print(findings: Sequence[Finding], health: Health) -> None:
    lines = aligned([(each.health, one_line(each.check), one_line(each.seen)) for each in findings])
    for line, finding in zip(lines, findings, strict=True):
        out.print(f"{MARKS[finding.health]} {escape(line)}")
        if finding.fix:
            out.print(f"       [bold]→[/] {safe(finding.fix)}")
    counts = {each: sum(finding.health is each for finding in findings) for each in Health}
    said = f"{counts[Health.FAIL]} failing, {counts[Health.WARN]} to look at, {counts[Health.OK]} well"
    out.print("Everything is well." if health is Health.OK else f"[bold]{said}.[/]")
