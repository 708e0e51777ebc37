"""Work over several processes: answers in order, the same report of examples, and a process that dies is reported."""

import os
import signal
import subprocess
import sys
import time

import pytest

from campaigns.file.errors import CampaignError
from campaigns.trials.casebook import run_examples
from campaigns.trials.workers import Crew, cores
from dsl.text.diagnostics import RuleTextError

TOY = """
system toy "Toy" version 1.0
module dark "Dark", default off
module light "Light", default off
unit tank:
  strength number, starts 4
value might of u (a tank):
  start with strength of u
rule in-the-dark adds to might, with dark:
  plus 1 because "it is dark"
"""


def example(number, expected, guard):
    body = f"  put t (a tank, side blue)\n  given strength of t = {number % 10}\n  then might of t = {expected}\n"
    return f'example "number {number}"{guard}:\n{body}'


@pytest.fixture
def toy(tmp_path):
    folder = tmp_path / "toy"
    folder.mkdir()
    guards = ["", ", with dark", ", with light"]
    rows = [example(n, n % 10 + (n % 3 == 1) + (n in {5, 31}), guards[n % 3]) for n in range(40)]
    (folder / "toy.rules").write_text(TOY + "\n".join(rows), encoding="utf-8")
    return folder


def test_answers_come_in_the_order_of_the_tasks():
    seen = []
    with Crew(2) as crew:
        assert crew.do(divmod, [(17, 5), (9, 2), (8, 4)], seen.append) == [(3, 2), (4, 1), (2, 0)]
        assert crew.do(max, [(1, 2)]) == [2]
    assert sorted(seen) == [(2, 0), (3, 2), (4, 1)]
    assert cores() >= 1


def test_what_goes_wrong_in_a_task_goes_wrong_here():
    with Crew(2) as crew, pytest.raises(ZeroDivisionError):
        crew.do(divmod, [(1, 1), (1, 0)])


def test_a_process_that_dies_is_told_of():
    with Crew(2) as crew, pytest.raises(CampaignError, match="ended before it was done") as error:
        crew.do(os._exit, [(3,), (3,)])
    assert "--workers 1" in error.value.hint


AT_WORK = """
import time, os
from campaigns.trials.workers import Crew
if __name__ == "__main__":
    with Crew(2) as crew:
        print(*crew.do(os.getpgid, [(0,)]), flush=True)
        crew.do(time.sleep, [(600,), (600,), (600,)])
"""


def test_workers_end_when_the_process_they_work_for_is_killed(tmp_path):
    script = tmp_path / "at_work.py"
    script.write_text(AT_WORK, encoding="utf-8")
    # Every process of the crew holds the pipe open: it comes to its end when the last of them is gone.
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout.readline()
        time.sleep(0.5)
        process.kill()
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            pytest.fail("workers went on without the process that they worked for")


def test_examples_are_told_alike_by_any_number_of_processes(toy):
    told = []
    alone = run_examples([str(toy)], workers=1, progress=lambda done, whole: told.append((done, whole)))
    assert told[-1] == (40, 40)
    assert [row["name"] for row in alone.failed] == ["number 5", "number 31"]
    assert [name for name, _ in alone.outcomes] == [f"number {n}" for n in range(40)]
    assert run_examples([str(toy)], workers=2) == alone
    assert run_examples([str(toy)], "number 3", workers=2) == run_examples([str(toy)], "number 3")


def test_errors_under_the_modules_of_an_example_are_raised_from_any_process(toy):
    spoiled = toy / "more.rules"
    spoiled.write_text(
        'rule in-the-light adds to might, with light:\n  plus heaviness of u because "x"\n',
        encoding="utf-8",
    )
    for workers in (1, 2):
        with pytest.raises(RuleTextError):
            run_examples([str(toy)], workers=workers)


def test_no_worker_is_too_few(toy):
    with pytest.raises(CampaignError, match="at least one worker"):
        run_examples([str(toy)], workers=0)
