"""The agent, without a key: a recording that comes with the source, and models that follow a script."""

from __future__ import annotations

import json
import os
import pathlib
import threading
from typing import Any, Iterator, List

import pytest

import formicary
from formicary import AgentEvent, Ending, Formicary, coding
from formicary.coding import agent as coding_agent

HERE = pathlib.Path(__file__).resolve()
REPOSITORY = pathlib.Path(os.environ.get("FORMICARY_REPOSITORY", HERE.parents[min(3, len(HERE.parents) - 1)]))
TASK = "Write main.py that prints the first ten prime numbers, one a line."
PRIMES = "".join(f"{prime}\n" for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29))


@pytest.fixture()
def primes() -> str:
    places = [REPOSITORY / "crates/agent/recordings/primes.jsonl", HERE.parents[1] / "recordings/primes.jsonl"]
    return f"recorded:{next(place for place in places if place.is_file())}"


@pytest.fixture()
def engine(project: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Formicary]:
    """One that keeps its runs in a folder of the test's own."""
    with Formicary({"agent.folder": str(project / "runs")}) as engine:
        monkeypatch.setattr(coding_agent, "client", engine)
        yield engine


def script(folder: pathlib.Path, *answers: Any) -> str:
    """A model that says this: a text, or a tool's name with its arguments."""
    lines = []
    for number, answer in enumerate(answers):
        if isinstance(answer, str):
            lines.append({"text": answer})
        else:
            call = {"id": f"call_{number}", "name": answer[0], "arguments": answer[1]}
            lines.append({"text": "", "tool_calls": [call]})
    path = folder / "script.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted:{path}"


def test_a_task_is_solved_watched_and_kept(engine: Formicary, primes: str, project: pathlib.Path) -> None:
    seen: List[AgentEvent] = []
    threads = set()

    def watch(event: AgentEvent) -> None:
        seen.append(event)
        threads.add(threading.get_ident())

    result = engine.agent(TASK, model=primes, out=project / "out", watch=watch)
    assert result and result.ending is Ending.SOLVED and result.accepted_by == "judgement"
    assert [(run.status, run.exit_code) for run in result.runs] == [("nonzero_exit", 1), ("success", 0), ("success", 0)]
    assert result.output == PRIMES and result.changed == ["main.py"] and "+    print(prime)" in result.diff
    assert (project / "out/main.py").read_text() == result.files["main.py"]
    assert formicary.execute(result.files["main.py"], "python").stdout == PRIMES
    assert threads == {threading.get_ident()}
    assert [event.step for event in seen if event.event == "asking"][:5] == [1, 2, 3, 4, 5]
    assert any(event.event == "ran" and "IndexError" in event.text for event in seen)
    kept = engine.agent_runs()
    assert [(run.id, run.ending, run.task) for run in kept] == [(result.id, Ending.SOLVED, TASK)]
    assert engine.agent_replay(result.id).files == result.files
    assert "ended" in {record["kind"] for record in engine.agent_transcript("last")}


def test_the_acceptance_decides_and_not_the_model(engine: Formicary, project: pathlib.Path) -> None:
    model = script(
        project,
        ("write_file", {"path": "main.py", "content": "print(int(input()) + 1)\n"}),
        ("finish", {"summary": "doubles"}),
        ("write_file", {"path": "main.py", "content": "print(int(input()) * 2)\n"}),
        ("finish", {"summary": "doubles"}),
    )
    cases = [{"stdin": "1", "expected": "2"}, {"stdin": "5", "expected": "10"}]
    result = engine.agent("Double a number.", model=model, cases=cases, fixer=False)
    assert result.solved and result.accepted_by == "expected output" and result.spent.attempts == 1
    assert "* 2" in result.files["main.py"]


def test_a_project_is_changed_only_when_it_is_solved(engine: Formicary, project: pathlib.Path) -> None:
    work = project / "work"
    work.mkdir()
    (work / "main.py").write_text("print('old')\n")
    wrong = script(project, ("write_file", {"path": "main.py", "content": "print('no')\n"}), *[("finish", {"summary": ""})] * 2)
    result = engine.agent("Print new.", model=wrong, project=work, expect="new", apply=True, attempts=1, fixer=False)
    assert not result and result.ending is Ending.OUT_OF_ATTEMPTS and result.written == []
    assert (work / "main.py").read_text() == "print('old')\n"
    right = script(project, ("write_file", {"path": "main.py", "content": "print('new')\n"}), ("finish", {"summary": ""}))
    result = engine.agent("Print new.", model=right, project=work, expect="new", apply=True, fixer=False)
    assert result.solved and result.written == ["main.py"] and (work / "main.py").read_text() == "print('new')\n"


def test_questions_reach_a_person(engine: Formicary, project: pathlib.Path) -> None:
    answers = [
        ("ask_user", {"question": "Which word?"}),
        ("write_file", {"path": "main.py", "content": "print('ants')\n"}),
        ("finish", {"summary": "done"}),
    ]
    asked: List[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "ants"

    result = engine.agent("Print the word.", model=script(project, *answers), expect="ants", ask=ask, fixer=False)
    assert result.solved and len(asked) == 1 and "Which word?" in asked[0]
    told = [record for record in engine.agent_transcript(result.id) if record["kind"] == "human"]
    assert "ants" in json.dumps(told)

    def raising(question: str) -> str:
        raise LookupError(question)

    with pytest.raises(LookupError, match="Which word"):
        engine.agent("Print the word.", model=script(project, *answers), expect="ants", ask=raising, fixer=False)


def test_a_run_that_was_ended_is_resumed(engine: Formicary, primes: str) -> None:
    def watch(event: AgentEvent) -> None:
        if event.step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.agent(TASK, model=primes, watch=watch)
    resumed = engine.agent_resume("last")
    assert resumed.solved and resumed.output == PRIMES and len(engine.agent_runs()) == 1


def test_orchestrator(engine: Formicary, primes: str) -> None:
    steps: List[AgentEvent] = []
    done = coding.Orchestrator(model=primes, watch=steps.append).run(TASK)
    assert isinstance(done, coding.TaskResult) and done.success and done.status is Ending.SOLVED
    assert str(done) == done.output == PRIMES and coding.execute_code("python", done.code)["stdout"] == PRIMES
    assert [one.exit_code for one in done.executions] == [1, 0, 0] and steps
    assert engine.agent_runs()[0].id == done.run_id


def test_orchestrator_gives_up_after_its_attempts(engine: Formicary, project: pathlib.Path) -> None:
    wrong = [("write_file", {"path": "main.py", "content": "print(0)\n"}), ("finish", {"summary": "done"})]
    model = script(project, *wrong, *wrong)
    done = coding.Orchestrator(coding.CodeGenerator(model), max_attempts=1).run("Print a line.", expected_output="the ants are many")
    assert not done and done.status is Ending.OUT_OF_ATTEMPTS and done.attempts == 1 and str(done) == done.message


def test_code_generator(engine: Formicary, primes: str, project: pathlib.Path) -> None:
    made = coding.CodeGenerator(primes).generate(TASK)
    assert isinstance(made, coding.GeneratedCode) and made.runs and made.main == "main.py"
    assert coding.execute_code("python", str(made))["stdout"] == PRIMES and "ten primes" in made.explanation
    model = script(
        project,
        ("edit_file", {"path": "lib/greet.py", "search": "hallo", "replace": "hello"}),
        ("run_code", {}),
        ("finish", {"summary": "spelt"}),
        json.dumps({"done": True, "reason": "it says hello"}),
    )
    files = {"lib/greet.py": "WORD = 'hallo'\n", "main.py": "from lib.greet import WORD\nprint(WORD)\n"}
    made = coding.CodeGenerator(model).generate("Say hello.", files=files, feedback="it says hallo")
    assert made.files["lib/greet.py"] == "WORD = 'hello'\n" and made.result.output == "hello\n"
    order = engine.agent_transcript("last")[0]
    assert "it says hallo" in json.dumps(order)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"model": "scripted:/no/such"}, ValueError, "no/such"),
        ({"model": "nonsense:"}, ValueError, "names no model"),
        ({"files": {"../out.py": ""}}, ValueError, "out.py"),
        ({"files": {}, "project": "."}, ValueError, "project and files"),
        ({"apply": True}, ValueError, "apply"),
        ({"cases": [{"stdin": "1"}]}, ValueError, r"cases\[0\]"),
        ({"stdin": "1"}, ValueError, "expect"),
        ({"gate": "loud"}, ValueError, "gate"),
        ({"steps": -1}, ValueError, "steps"),
        ({"seconds": -1.0}, ValueError, "seconds"),
        ({"attempts": 1.5}, TypeError, "attempts"),
        ({"ask": "me"}, TypeError, "ask"),
        ({"check_script": "no/such.py"}, ValueError, "no/such.py"),
    ],
)
def test_wrong_orders_are_named(engine: Formicary, options: "dict[str, Any]", kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        engine.agent("Do it.", **options)
    with pytest.raises(ValueError, match="there is no run"):
        engine.agent_resume("none")
