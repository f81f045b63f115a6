"""What a trainer sees of a sidecar that is missing, dies, hangs or is not its own."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import batchweave
from batchweave import launch, reader, wire
from fakes import Node, first_tokens, is_alive

TESTS = Path(__file__).parent
SOURCES = Path(batchweave.__file__).parents[1]


def python(script: str, *arguments: str) -> subprocess.Popen[str]:
    """A trainer in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{SOURCES}:{TESTS}"},
    )


def output(process: subprocess.Popen[str]) -> str:
    told = process.communicate(timeout=60)[0]
    assert process.returncode == 0, told
    return told


@pytest.mark.parametrize("fault", ["die_before_step", "die_after_step"])
def test_a_sidecar_that_dies_costs_no_step_and_repeats_none(node: Node, fault: str) -> None:
    stored = node.store(steps=6)
    stored.fault(**{fault: 3})

    data = batchweave.dataset(stored.warehouse, "t.x", job="j", mesh="dp=0/2")
    assert [first_tokens(batch) for batch in data] == [[1000 * i, 1000 * i + 10] for i in range(6)]

    assert len(node.started()) == 2
    first, second = stored.opens()
    assert second["session"] == f"fake-{node.started()[0]}"
    assert second["cursor"].split(":")[1] in ("3", "4")
    assert second["goes_on"] and "goes_on" not in first


def test_a_sidecar_that_was_killed_between_steps_is_replaced(node: Node) -> None:
    stored = node.store(steps=4)
    data = batchweave.dataset(stored.warehouse, "t.x")
    kept = next(data)
    node.kill_sidecar()

    assert [batch.step for batch in data] == [1, 2, 3]
    assert first_tokens(kept)[0] == 0


def test_a_sidecar_that_dies_at_every_attempt_is_given_up(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "RECONNECT_SECONDS", 1.0)
    stored = node.store(steps=4)
    data = batchweave.dataset(stored.warehouse, "t.x", wait=0.5)
    next(data)
    stored.fault(die_always=1)

    with pytest.raises(batchweave.Unavailable, match="the sidecar is gone"):
        next(data)
    assert len(node.started()) > 2


def test_eight_that_start_at_once_start_one(node: Node) -> None:
    stored = node.store(steps=2, grid="dp=8")
    script = (
        "import sys, batchweave, fakes\n"
        f"data = batchweave.dataset({stored.warehouse!r}, 't.x', mesh={{'dp': (int(sys.argv[1]), 8)}})\n"
        "print([fakes.first_tokens(batch) for batch in data])\n"
    )
    ranks = [python(script, str(rank)) for rank in range(8)]

    assert [output(rank).strip() for rank in ranks] == [
        str([[10 * rank], [1000 + 10 * rank]]) for rank in range(8)
    ]
    assert len(node.started()) == 1


def test_threads_that_start_at_once_start_one(node: Node) -> None:
    stored = node.store(steps=1)
    told: list[int] = []

    def read() -> None:
        told.extend(batch.step for batch in batchweave.dataset(stored.warehouse, "t.x"))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert told == [0] * 4
    assert len(node.started()) == 1


def test_the_sidecar_outlives_the_group_of_who_started_it(node: Node) -> None:
    stored = node.store(steps=2)
    script = (
        "import os, signal, batchweave\n"
        f"next(batchweave.dataset({stored.warehouse!r}, 't.x'))\n"
        "os.killpg(os.getpid(), signal.SIGKILL)\n"
    )
    trainer = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        start_new_session=True,
    )
    trainer.wait(60)

    assert is_alive(node.started()[0])
    assert next(batchweave.dataset(stored.warehouse, "t.x")).step == 0
    assert len(node.started()) == 1


def test_why_it_did_not_start_is_told(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_FAILS", "Cannot start: 9g of arena do not fit into 1g of /dev/shm")

    with pytest.raises(batchweave.CannotStart, match="9g of arena do not fit into 1g"):
        next(batchweave.dataset(node.store().warehouse, "t.x"))


def test_another_protocol_is_refused_with_both_numbers(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PROTOCOL", "9")

    with pytest.raises(batchweave.InvalidRequest, match="protocol 1.*9"):
        next(batchweave.dataset(node.store().warehouse, "t.x"))


def test_no_java_says_what_to_install(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(node.folder))

    with pytest.raises(batchweave.CannotStart, match="install a JDK 17 or newer"):
        next(batchweave.dataset(node.store().warehouse, "t.x"))


def test_an_old_java_is_named(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(node.java("11.0.2")))

    with pytest.raises(batchweave.CannotStart, match=r"is Java 11\.0\.2"):
        next(batchweave.dataset(node.store().warehouse, "t.x"))


def test_no_jars_say_how_to_build_them(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHWEAVE_HOME", "/nowhere")

    with pytest.raises(batchweave.CannotStart, match="BATCHWEAVE_HOME is /nowhere"):
        next(batchweave.dataset(node.store().warehouse, "t.x"))


def test_a_named_socket_where_nobody_listens_is_told_soon_and_starts_nothing(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "NAMED_SECONDS", 0.3)
    data = batchweave.dataset(
        node.store().warehouse, "t.x", socket=str(node.folder / "none.sock"), wait=60
    )

    told = "nobody listens at .*none.sock .*start a sidecar there"
    begin = time.monotonic()
    with pytest.raises(batchweave.Unavailable, match=told):
        next(data)
    assert time.monotonic() < begin + 10
    assert node.started() == []


def test_a_named_sidecar_that_has_answered_once_is_waited_for(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "NAMED_SECONDS", 0.0)
    stored = node.store(steps=2)
    next(batchweave.dataset(stored.warehouse, "t.x"))
    named = batchweave.dataset(
        stored.warehouse, "t.x", socket=str(node.sidecar_folder / "sidecar.sock")
    )
    next(named)
    node.kill_sidecar()
    back = threading.Thread(target=lambda: next(batchweave.dataset(stored.warehouse, "t.x")))
    back.start()

    assert next(named).step == 1
    back.join()


def test_a_named_socket_is_used(node: Node) -> None:
    stored = node.store(steps=2)
    next(batchweave.dataset(stored.warehouse, "t.x"))
    elsewhere = batchweave.dataset(
        stored.warehouse,
        "t.x",
        socket=str(node.sidecar_folder / "sidecar.sock"),
        shm_dir="/nowhere",
    )

    assert len(list(elsewhere)) == 2


def test_a_relative_shm_dir_is_that_of_this_process(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = node.store(steps=2)
    monkeypatch.chdir(node.folder)
    data = batchweave.dataset(stored.warehouse, "t.x", shm_dir="shm")
    monkeypatch.chdir("/")

    assert len(list(data)) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of other users")
def test_another_users_folder_and_socket_are_refused(node: Node) -> None:
    stored = node.store()
    next(batchweave.dataset(stored.warehouse, "t.x"))
    for name in ("sidecar.sock", "."):
        path = node.sidecar_folder / name
        os.chown(path, 12345, -1)
        with pytest.raises(batchweave.NoAccess, match="user 12345 owns it"):
            next(batchweave.dataset(stored.warehouse, "t.x"))
        os.chown(path, 0, -1)


def test_a_sidecar_that_hangs_is_told(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "GRACE_SECONDS", 0.2)
    stored = node.store()
    data = batchweave.dataset(stored.warehouse, "t.x", wait=0.2)
    next(data)
    stored.fault(slow_ms=1500)

    with pytest.raises(batchweave.Unavailable, match="said nothing"):
        next(data)
    stored.fault()
    assert next(data).step == 1


def test_ctrl_c_works_at_once_and_the_loop_can_go_on(node: Node) -> None:
    stored = node.store(steps=1, sealed=False)
    data = batchweave.dataset(stored.warehouse, "t.x", wait=100)
    next(data)
    # Whoever is started in the background of a script ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()

    try:
        with pytest.raises(KeyboardInterrupt):
            next(data)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 5
    assert data.state_dict()["cursor"] == "id-t.x:1"


def test_a_forked_child_goes_on_by_itself_and_leaves_the_parent_alone(node: Node) -> None:
    stored = node.store(steps=4)
    data = batchweave.dataset(stored.warehouse, "t.x", job="j")
    next(data)
    readable, writable = os.pipe()

    child = os.fork()
    if child == 0:
        os.write(writable, repr([batch.step for batch in data]).encode())
        os._exit(0)
    mine = [batch.step for batch in data]
    os.waitpid(child, 0)

    assert os.read(readable, 100) == b"[1, 2, 3]"
    assert mine == [1, 2, 3]
    os.close(readable)
    os.close(writable)


def test_a_thousand_steps_need_few_descriptors_and_mappings(node: Node) -> None:
    stored = node.store(steps=1000, grid="dp=1")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    data = batchweave.dataset(stored.warehouse, "t.x")
    next(data)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        before = descriptors(), mappings(node)
        kept = [batch["tokens"] for batch in data if batch.step % 2]
        assert descriptors() <= before[0]
        assert mappings(node) <= before[1] + len(kept)
        assert [int(array[0, 0]) for array in kept] == [1000 * step for step in range(1, 1000, 2)]
        del kept
        assert mappings(node) <= before[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def mappings(node: Node) -> int:
    return Path("/proc/self/maps").read_text().count(str(node.sidecar_folder))


def test_a_line_that_is_too_long_is_refused(node: Node) -> None:
    data = batchweave.dataset(node.store().warehouse, "t.x" * wire.LINE_BYTES_MAX)

    with pytest.raises(batchweave.InvalidRequest, match="at most"):
        next(data)


def test_the_log_is_begun_anew_once_it_is_long(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_LOG_BYTES_MAX", 10)
    node.sidecar_folder.mkdir()
    log = node.sidecar_folder / "sidecar.log"
    log.write_text("x" * 11)
    next(batchweave.dataset(node.store().warehouse, "t.x"))

    assert "x" not in log.read_text()
