"""What can go wrong with the database, told in fields; lost races are results and never come here."""


class StorageError(Exception):
    """Anything that the storage room raises."""


class DatabaseError(StorageError):
    """The database cannot be used: `where` names it without its password, `reason` says why, `advice` what to do."""

    def __init__(self, where: str, reason: str, advice: str = "") -> None:
        super().__init__(f"the database {where!r} {reason}" + (f"; {advice}" if advice else ""))
        self.where, self.reason, self.advice = where, reason, advice


class MissingDatabaseError(DatabaseError):
    """There is no database yet, and none is to be made."""


class SchemaError(DatabaseError):
    """The database's schema is not the one that this program knows (`found` and `known` are migration revisions)."""

    def __init__(self, where: str, *, found: str | None, known: str, reason: str, advice: str) -> None:
        super().__init__(where, reason, advice)
        self.found, self.known = found, known


class ClosedError(StorageError):
    """The database was closed, or never opened, when something was asked of it."""


class BrokenRuleError(StorageError):
    """Rows contradict each other in a way that no transition produces; the transaction was rolled back."""

    def __init__(self, rule: str, row: str) -> None:
        super().__init__(f"{rule} (at {row!r})")
        self.rule, self.row = rule, row
