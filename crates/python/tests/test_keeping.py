"""Images, caches, settings and the audit log from Python."""

from __future__ import annotations

import os
import pathlib

import pytest

import formicary
from formicary import Formicary


def test_settings_tell_their_origin() -> None:
    with Formicary({"limits.wall_seconds": "7"}) as engine:
        settings = engine.config()
    assert settings["limits.wall_seconds"].value == 7 and settings["limits.wall_seconds"].origin != "default"
    assert settings["limits.memory_bytes"].origin == "default" and settings["limits.memory_bytes"].about


def test_what_is_kept_is_listed_and_pruned(tmp_path: pathlib.Path) -> None:
    with Formicary({"cache.folder": str(tmp_path)}) as engine:
        assert engine.cache().compiled_programs == 0
        engine.execute("const x: number = 1; console.log(x)", "typescript")
        kept = engine.cache()
        gone = engine.prune_cache(all=True)
        assert gone.compiled_programs == kept.compiled_programs
        assert engine.cache().compiled_programs == 0


def test_the_audit_log_is_read_and_verified(tmp_path: pathlib.Path) -> None:
    settings = {"audit.file": str(tmp_path / "audit.jsonl")}
    with Formicary(settings) as engine:
        result = engine.execute("print(1)", "python")
        records = engine.audit(run_id=result.run_id)
        assert {record["run_id"] for record in records} == {result.run_id} and len(records) == 2
        assert engine.audit(language="cobol") == []
        seen = engine.verify_audit()
        assert seen.intact and seen.records >= 2
        assert engine.verify_audit([seen.head]).intact
        with pytest.raises(formicary.InvalidInput, match="not a moment"):
            engine.audit(since="yesteryear")
        with pytest.raises(TypeError, match="most"):
            engine.audit(most="all")  # type: ignore[arg-type]


def test_images_of_a_real_engine() -> None:
    from formicary import coding

    if not coding.check_docker_available():
        with pytest.raises(formicary.IsolationUnavailable, match="(?i)docker|socket|engine"):
            formicary.images()
        return
    base = os.environ.get("FORMICARY_TEST_IMAGE")
    seen = formicary.images()
    assert {one.language for one in seen.defaults} >= {"python", "javascript"}
    if base is None:
        pytest.skip("no image of Python is given (FORMICARY_TEST_IMAGE)")
    with Formicary({"images.python": base, "docker.build_network": "host"}) as engine:
        built = engine.build_image("formicary-test-python:1", ["six==1.17.0"])
        assert built.made_as == "formicary-test-python:1" and built.bytes > 0
        files = {"main.py": "import six, sys\nprint(six.__version__, sys.argv[1:])\n"}
        sandbox = coding.DockerSandbox(files, "python main.py a b", image="formicary-test-python:1")
        with sandbox:
            result = sandbox.run(60)
        assert (result.stdout, result.enforcement.provider) == ("1.17.0 ['a', 'b']\n", "docker"), result
        gone = engine.prune_images(all=True)
        assert any("formicary-test-python:1" in image.names for image in gone)
        assert all("formicary-test-python:1" not in image.names for image in engine.images().ours)
