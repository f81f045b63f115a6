"""Reads a view of steps through Iceberg's REST protocol, by PyIceberg and by DuckDB.

usage: read_view.py URI NAMESPACE TABLE

Prints a line of JSON for each of the two: what the table says of each producer.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict

import duckdb
from duckdb_extensions import import_extension
from pyiceberg.catalog import load_catalog


def by_pyiceberg(uri: str, namespace: str, table: str) -> dict[str, list[int]]:
    steps = load_catalog("weave", type="rest", uri=uri).load_table((namespace, table)).scan()
    told: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in steps.select("producer", "rows", "bytes").to_arrow().to_pylist():
        for position, more in enumerate((1, row["rows"], row["bytes"])):
            told[row["producer"]][position] += more
    return told


def by_duckdb(uri: str, namespace: str, table: str) -> dict[str, list[int]]:
    for extension in ("avro", "httpfs", "iceberg"):
        import_extension(extension)
    with duckdb.connect() as database:
        database.sql("LOAD iceberg")
        database.sql(
            f"ATTACH '' AS weave (TYPE iceberg, ENDPOINT '{uri}', AUTHORIZATION_TYPE 'none')"
        )
        rows = database.sql(
            "SELECT producer, count(*), sum(rows), sum(bytes)"
            f" FROM weave.{namespace}.{table} GROUP BY producer"
        ).fetchall()
    return {producer: [int(count) for count in counts] for producer, *counts in rows}


for told in (by_pyiceberg(*sys.argv[1:]), by_duckdb(*sys.argv[1:])):
    print(json.dumps(told, sort_keys=True))
