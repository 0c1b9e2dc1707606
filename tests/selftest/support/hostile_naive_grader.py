"""Naive grader: runs student code in its own process and takes its verdict, like most graders.

It shows the effect of an attack that no layer of the sandbox stops. It runs in a fork, because the attack succeeds.
"""

import faulthandler
import os
import signal
import sys
import warnings
from types import ModuleType
from typing import Any

from tests.selftest.support.hostile_attack import Attack, read_tools
from tests.selftest.support.hostile_target import INPUT

_SECONDS = 5


def judge_attack(attack: Attack, given: dict[str, Any]) -> str:
    """Grade an attack; return the grader's verdict, or how the grader ended."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _judge_and_leave(attack, given, writer)
    os.close(writer)
    _, status = os.waitpid(pid, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return "stopped"
    with os.fdopen(reader, encoding="utf-8") as verdict:
        ended = os.waitstatus_to_exitcode(status)  # negative: the signal
        return verdict.read() or (f"ended by {signal.Signals(-ended).name}" if ended < 0 else f"exit status {ended}")


def _judge_and_leave(attack: Attack, given: dict[str, Any], writer: int) -> None:
    signal.alarm(_SECONDS)
    faulthandler.disable()
    warnings.simplefilter("ignore")
    os.environ["TOKEN"] = given["secret"]
    status = 0
    try:
        os.write(writer, _find_verdict(attack, given).encode())
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    except BaseException as error:  # noqa: BLE001  (any exception of the attack is the verdict)
        os.write(writer, f"raised {type(error).__name__}".encode())
    finally:
        os._exit(status)


def _find_verdict(attack: Attack, given: dict[str, Any]) -> str:
    module = _load_module("attacker", read_tools())
    right = attack.right  # an expected value in the same memory
    module = _load_module("hostile", attack.text)
    value = module.attack(given) if hasattr(module, "attack") else ""
    if attack.fields.get("twice"):
        value = module.attack(given)
    if given["array"].tolist() != list(INPUT):
        return "changed the grader's array"
    if hasattr(module, attack.judge):
        return str(getattr(module, attack.judge)(value))
    if right is not None:
        return "passes the check" if value == right else "fails the check"
    return str(value)


def _load_module(name: str, text: str) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return module
