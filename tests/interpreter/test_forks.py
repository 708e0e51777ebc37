"""Work in a process of its own: what it finds, and how it fails, is known here."""

import os
import signal
import time

import pytest

from interpreter.outcomes.forks import can_fork, in_a_fork

pytestmark = pytest.mark.skipif(not can_fork(), reason="there are no forks here")


@pytest.fixture(autouse=True)
def _none_is_left(monkeypatch):
    """Every child was waited for. Only the test's own are asked after: the process may have children of other tests."""
    fork, children = os.fork, []

    def noted() -> int:
        child = fork()
        children.append(child)
        return child

    monkeypatch.setattr(os, "fork", noted)
    yield
    assert children
    for child in children:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


def test_the_result_comes_back_and_nothing_else():
    here = []
    assert in_a_fork(lambda: (here.append(1), "caf\u00e9", {"ways": [1, 2]})[1:]) == ["caf\u00e9", {"ways": [1, 2]}]
    assert here == []


def test_what_fails_there_fails_here():
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        in_a_fork(lambda: 1 / 0)


def test_what_is_stopped_there_is_stopped_here():
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_a_fork(stop)


def test_a_process_that_was_killed_was_not_stopped():
    """There was too little memory for it, say; nobody pressed Ctrl-C."""
    with pytest.raises(RuntimeError, match="killed"):
        in_a_fork(lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_whoever_stops_waiting_does_not_wait_for_it_to_end(tmp_path):
    """A process that did not hear Ctrl-C goes on; nobody needs what it finds."""

    def stop(*_):
        raise KeyboardInterrupt

    def deaf():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(5)
        (tmp_path / "it has ended").touch()

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            in_a_fork(deaf)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert not list(tmp_path.iterdir())
