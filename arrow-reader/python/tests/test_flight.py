"""A stock Arrow Flight client is given what the trainers of the node are given."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import flight

import batchweave
from batchweave import java
from test_sidecar import QUICK, Text, settings, shm, slices_of, text

__all__ = ["settings", "shm", "text"]
pytestmark = pytest.mark.sidecar

TOKEN = "not-to-be-guessed"


@pytest.fixture
def port(text: Text, shm: Path, tmp_path: Path) -> Iterator[int]:
    """Of a sidecar that serves Flight to who bears the token, and this node's trainers too."""
    token = tmp_path / "token"
    token.write_text(TOKEN + "\n")
    options = ("--shm-dir", str(shm), "--flight", "127.0.0.1:0", "--flight-token-file", str(token))
    sidecar = subprocess.Popen(
        java.command("sidecar", *options, flags=QUICK), stdout=subprocess.PIPE, text=True
    )
    assert sidecar.stdout is not None
    try:
        for line in sidecar.stdout:
            if found := re.search(r"Arrow Flight at port (\d+)", line):
                yield int(found.group(1))
                break
    finally:
        sidecar.terminate()
        sidecar.wait(60)
        sidecar.stdout.close()


def test_flight_and_the_arena_give_the_same_batches(text: Text, port: int) -> None:
    ticket = json.dumps({"warehouse": text.warehouse, "dataset": "t.x", "mesh": "dp=1/2"})
    bearing = flight.FlightCallOptions(headers=[(b"authorization", f"Bearer {TOKEN}".encode())])
    flown: list[tuple[int, list[list[int]]]] = []
    with flight.connect(f"grpc://127.0.0.1:{port}") as client:
        for chunk in client.do_get(flight.Ticket(ticket), bearing):
            about = json.loads(chunk.app_metadata.to_pybytes())
            flown.append((about["step"], chunk.data["tokens"].to_pylist()))
        with pytest.raises(flight.FlightUnauthenticatedError):
            client.do_get(flight.Ticket(ticket)).read_chunk()

    with batchweave.dataset(text.warehouse, "t.x", mesh="dp=1/2") as data:
        assert flown == [(batch.step, part) for batch in data for part in slices_of(batch)]
