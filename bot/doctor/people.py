"""Whether the people whom policies and SIGNOFF_ADMINS name are in Slack, and can answer."""

from collections.abc import Sequence

from actions.kit.records.people import PersonFacts
from bot.doctor.findings import Finding, fail, ok, warn
from bot.doctor.places import named_words
from bot.slack.directory import CouldNotVerify, Directory

RENAME = "Name somebody else in the policy. Waiting runs keep theirs: cancel them and ask again."


async def decider_finding(directory: Directory, person: str, whos: Sequence[str]) -> Finding:
    """One person of a policy, by id or e-mail."""
    check, by = f"person {person}", f"named by {named_words(whos)}"
    try:
        facts = await looked_up(directory, person)
    except CouldNotVerify as error:
        return warn(check, f"could not be looked up: {error}; {by}", "Try again, and see the scopes above.")
    why = _unable(facts)
    if why is None and facts is not None:
        return ok(check, f"{facts.name}; {by}")
    return fail(check, f"{why}; {by}", RENAME)


async def operator_findings(directory: Directory, operators: Sequence[str]) -> list[Finding]:
    """Each of SIGNOFF_ADMINS; nobody at all is worth a warning."""
    if not operators:
        seen = "nobody: only those who decided can settle what is stalled"
        return [warn("operators", seen, "Set SIGNOFF_ADMINS to Slack ids, separated by commas.")]
    return [await _operator(directory, each) for each in operators]


async def _operator(directory: Directory, person: str) -> Finding:
    try:
        facts = await directory.person(person)
    except CouldNotVerify as error:
        return warn("operators", f"{person} could not be looked up: {error}", "Try again, and see the scopes above.")
    why = _unable(facts)
    if why is None and facts is not None:
        return ok("operators", f"{person}, {facts.name}")
    return fail("operators", f"{person}: {why}", "Take them out of SIGNOFF_ADMINS.")


async def looked_up(directory: Directory, person: str) -> PersonFacts | None:
    """By id or e-mail. Raises `CouldNotVerify`."""
    return await (directory.by_email(person) if "@" in person else directory.person(person))


def _unable(facts: PersonFacts | None) -> str | None:
    if facts is None:
        return "nobody in Slack"
    if facts.is_deleted:
        return f"{facts.name} has left Slack"
    return f"{facts.name} is a bot" if facts.is_bot else None
