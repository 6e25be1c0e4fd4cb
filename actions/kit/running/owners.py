"""Whose a new task or thread is: the action's, or that of a shared resource which the action is just using.

A connection pool that opens a connection, or a client that looks a name up, does so on behalf of every action. What
it starts must outlive the one that happened to come first. It is told by the calls under way at that moment.
"""

import inspect
import sys
from types import FrameType

from actions.kit.running.pauses import Execution

OURS = __name__.partition(".")[0]
"""The package of the kit, and of the actions beside it."""


def is_resources_own(execution: Execution) -> bool:
    """Whether what the caller's caller is starting belongs to a resource.

    Looks outwards for a method of a resource, or code of the package that a resource comes from, and no further than
    the author's own code: what that starts is the action's, even as a callback of a resource.
    """
    frame = _back(_back(inspect.currentframe()))
    authors = {_package(execution.module), OURS}
    packages = {_package(type(resource).__module__) for resource in execution.resources}
    theirs = packages - authors - sys.stdlib_module_names
    while execution.resources and frame is not None:
        package = _package(str(frame.f_globals.get("__name__", "")))
        if _is_method_of(frame, execution.resources) or package in theirs:
            return True
        if package in authors:
            return False
        frame = _back(frame)
    return False


def _back(frame: FrameType | None) -> FrameType | None:
    return None if frame is None else frame.f_back


def _is_method_of(frame: FrameType, resources: tuple[object, ...]) -> bool:
    if frame.f_code.co_varnames[:1] != ("self",):
        return False
    owner = frame.f_locals.get("self")
    return any(owner is resource for resource in resources)


def _package(module: str) -> str:
    return module.partition(".")[0]
