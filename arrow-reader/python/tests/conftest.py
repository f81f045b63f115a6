from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes import Node

_TOLD = (
    "RANK WORLD_SIZE TORCHELASTIC_RUN_ID TORCHELASTIC_RESTART_COUNT MASTER_PORT GROUP_WORLD_SIZE"
    " SLURM_JOB_ID SLURM_RESTART_COUNT SLURM_STEP_ID BATCHWEAVE_SOCKET BATCHWEAVE_MEMORY"
    " BATCHWEAVE_JAVA_OPTS HADOOP_CONF_DIR HADOOP_CLASSPATH"
)


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> Iterator[Node]:
    """A node with the fake sidecar; what it has started ends with the test."""
    made = Node()
    for name in _TOLD.split():
        monkeypatch.delenv(name, raising=False)
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    yield made
    made.close()
