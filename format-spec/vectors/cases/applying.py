"""What commits mean: APPLY-1 to APPLY-9, each in its branches."""

from cases.build import (
    MIDNIGHT,
    ONE_INT,
    Case,
    claim,
    create,
    finish,
    ints,
    open_producer,
    publish,
    seal,
)


def cases():
    return [
        _creating(),
        _everything_in_version_zero(),
        _time(),
        _opening(),
        _declared_producers(),
        _claims(),
        _claims_once_sealed(),
        _fitting(),
        _weaving(),
        _finishing_seals(),
        _finishing_alone(),
        _sealing_when_finished(),
        _sealing_nobody(),
    ]


def _creating():
    another = create(grid=(("dp", 2),), dataset_id="d0000000-0000-4000-8000-000000000002")
    case = Case("valid/create-only-once", "CreateDataset counts only as the first entry of version 0 (APPLY-1)")
    case.commit(create(), another.but("not first"))
    case.commit(another.but("not first"), open_producer("p", 1))
    return case.commit(publish(claim("p", 1, 0)), create().but("not first"))


def _everything_in_version_zero():
    case = Case("valid/all-in-version-zero", "One commit creates, opens at epoch 0, publishes, finishes and seals")
    p, q = claim("p", 0, 0), claim("q", 0, 0)
    return case.commit(
        create(),
        publish(p).but("not open"),
        open_producer("p", 1),
        publish(p),
        publish(q).but("not open"),
        open_producer("q", 2),
        publish(q),
        finish(claim("p", 0, 1)),
        seal("ALL_FINISHED").but("unfinished"),
        finish(claim("q", 0, 1)),
        seal("ALL_FINISHED"),
    )


def _time():
    case = Case("valid/time-never-steps-back", "Clocks step back, the time of the State does not (APPLY-2)")
    case.commit(create(), time=MIDNIGHT)
    case.commit(open_producer("p", 1), time=MIDNIGHT - 1)
    case.commit(publish(claim("p", 1, 0)), time=MIDNIGHT - 5000)
    case.commit(publish(claim("p", 1, 1)), time=MIDNIGHT + 5000)
    # An entry without effect changes nothing, but the time of its commit is no entry's.
    case.commit(publish(claim("p", 1, 0)).but("already in"), time=MIDNIGHT + 6000)
    return case.commit(publish(claim("p", 1, 2)), time=MIDNIGHT + 6000)


def _opening():
    case = Case("valid/opening", "When an opening counts, and what it keeps (APPLY-3)")
    case.commit(create(grid=(("dp", 1),)))
    case.commit(open_producer("p", 1), open_producer("p", 1).but("already in"))
    case.commit(publish(claim("p", 1, 0), progress=b"kept"))
    case.commit(open_producer("p", 1).but("already in"))
    # The second of two openings in one commit would have the same epoch as the first.
    case.commit(open_producer("p", 2), open_producer("p", 3).but("second opening"), open_producer("q", 4))
    # An opening without effect does not stand in the way of one behind it.
    case.commit(open_producer("p", 2).but("already in"), open_producer("p", 5))
    # An id that was replaced is a new opening again: only the last one is remembered.
    case.commit(open_producer("p", 1))
    case.commit(publish(claim("p", 6, 1)), finish(claim("p", 6, 2), b"finished"))
    case.commit(publish(claim("p", 6, 3)).but("finished"))
    # A finished producer that opens goes on behind its finish.
    case.commit(open_producer("p", 6))
    case.commit(publish(claim("p", 9, 3)))
    case.commit(seal(), open_producer("p", 7).but("sealed"), open_producer("new", 8).but("sealed"))
    return case.commit(open_producer("p", 6).but("already in"))


def _declared_producers():
    case = Case("valid/declared-producers", "Where producers are declared, no other one opens (APPLY-3, APPLY-4)")
    case.commit(create(producers=("a", "b.1")))
    case.commit(open_producer("c", 1).but("undeclared"), open_producer("a", 2), open_producer("b", 3).but("undeclared"))
    case.commit(publish(claim("c", 1, 0)).but("not open"), publish(claim("a", 1, 0)))
    case.commit(publish(claim("b.1", 0, 0)).but("not open"), seal("ALL_FINISHED").but("unfinished"))
    return case.commit(open_producer("b.1", 4), publish(claim("b.1", 4, 0)))


def _claims():
    case = Case("valid/claims", "Every reason why a claim has no effect, and which goes first (APPLY-4, APPLY-9)")
    case.commit(create())
    case.commit(publish(claim("p", 1, 0)).but("not open"), open_producer("p", 1), publish(claim("p", 1, 0)))
    case.commit(publish(claim("p", 1, 0)).but("already in"), publish(claim("p", 1, 2)).but("gap"))
    case.commit(publish(claim("p", 1, 1)), publish(claim("p", 1, 1)).but("already in"), publish(claim("p", 1, 2)))
    case.commit(publish(claim("p", 0, 3)).but("fenced"), publish(claim("p", 2, 3)).but("not open"))
    # The new epoch is that of the opening before it in the same commit; the old one is fenced from there on.
    case.commit(
        publish(claim("p", 1, 3)),
        open_producer("p", 2),
        publish(claim("p", 1, 4)).but("fenced"),
        publish(claim("p", 5, 4)),
        publish(claim("p", 5, 6)).but("gap"),
        publish(claim("p", 5, 5)),
    )
    case.commit(publish(claim("p", 1, 0)).but("fenced"), finish(claim("p", 1, 6)).but("fenced"))
    case.commit(finish(claim("p", 5, 7)).but("gap"), finish(claim("p", 5, 5)).but("already in"))
    case.commit(finish(claim("p", 9, 6)).but("not open"), finish(claim("nobody", 0, 0)).but("not open"))
    case.commit(
        finish(claim("p", 5, 6)), finish(claim("p", 5, 7)).but("finished"), finish(claim("p", 5, 6)).but("already in")
    )
    case.commit(publish(claim("p", 5, 7)).but("finished"), publish(claim("p", 5, 9)).but("finished"))
    return case.commit(open_producer("p", 3), finish(claim("p", 11, 7), b"")).commit(
        publish(claim("p", 5, 8)).but("fenced")
    )


def _claims_once_sealed():
    case = Case(
        "valid/claims-once-sealed", "Seal closes a dataset to every claim but those already in (APPLY-4, APPLY-8)"
    )
    case.commit(create(), open_producer("p", 1))
    case.commit(publish(claim("p", 0, 0)), seal(), publish(claim("p", 0, 1)).but("sealed"))
    case.commit(publish(claim("p", 0, 0)).but("already in"), publish(claim("p", 0, 9)).but("sealed"))
    case.commit(publish(claim("p", 1, 1)).but("not open"), finish(claim("p", 0, 1)).but("sealed"))
    return case.commit(seal().but("sealed"), seal("ALL_FINISHED").but("sealed"))


def _fitting():
    one, two = ints(1), ints(2, 3)
    case = Case(
        "valid/batches-must-fit", "A batch that does not fill the grid has no effect and takes no number (APPLY-5)"
    )
    schema = ONE_INT | {
        "schema-id": 7
    }  # an id of Iceberg's that does not count: a dataset's one schema is its number 0
    at = claim("p", 0, 0)
    case.commit(create(schema, grid=(("dp", 2), ("cp", 2))), open_producer("p", 1))
    case.commit(publish(at, [[one, two, one]], schema).but("unfit"), publish(at, [[one] * 5], schema).but("unfit"))
    case.commit(publish(at, [[one], [two]], schema).but("unfit"))
    case.commit(publish(at, [[one] * 4], schema, schema_id=7).but("unfit"))
    # Reasons of the claim go before the fit.
    case.commit(publish(claim("p", 0, 1), [[one]], schema).but("gap"))
    return case.commit(publish(at, [[one, two, one, two]], schema), finish(claim("p", 0, 1)))


def _weaving():
    case = Case(
        "valid/several-producers-and-parts",
        "Entries of several producers in one commit, batches of several parts (APPLY-6)",
    )
    case.commit(create(grid=(("dp", 3),)))
    case.commit(*(open_producer(name, number) for number, name in enumerate(("a", "b", "c"))))
    whole, split, single = (
        [[ints(1), ints(2), ints(3)]],
        [[ints(4), ints()], [ints(5, 6)]],
        [[ints(7)], [ints(8)], [ints(9)]],
    )
    case.commit(
        publish(claim("b", 1, 0), split),
        publish(claim("a", 1, 0), whole, counts=(("documents", 3), ("tokens", 12))),
        publish(claim("b", 1, 1), single),
        publish(claim("c", 1, 1), whole).but("gap"),
        publish(claim("c", 1, 0), whole),
    )
    case.commit(
        publish(claim("a", 1, 1), split, progress=bytes(range(256)), counts=(("a-count.of_1", 2**62), ("zero", 0)))
    )
    # Where rows come from is told, and is no part of the history.
    case.commit(
        publish(
            claim("c", 1, 1),
            whole,
            sources=(("data/ein Satz ✓.jsonl", 2**63 - 1, bytes(range(32)), 0), ("s3://b/k?x", 0, b"", 2**31 - 1)),
            rows=((0, 0, 7, 2, 2), (2, 1, 2**63 - 2, 1, 0), (1, 0, 0, 1, 2**63 - 1)),
        )
    )
    # The same content in other parts is another history.
    return case.commit(publish(claim("c", 1, 2), [[ints(4)], [ints(), ints(5, 6)]], progress=b""))


def _finishing_seals():
    case = Case("valid/last-finish-seals", "The dataset is sealed when its declared producers have finished (APPLY-7)")
    case.commit(create(producers=("a", "b")), open_producer("a", 1), open_producer("b", 2))
    case.commit(finish(claim("a", 0, 0)), publish(claim("b", 0, 0)))
    # One that opens again has not finished: the other's finish does not seal.
    case.commit(open_producer("a", 3), finish(claim("b", 0, 1)))
    return case.commit(finish(claim("a", 2, 1)), open_producer("b", 4).but("sealed"))


def _finishing_alone():
    case = Case("valid/undeclared-finish", "Where no producers are declared, no finish seals (APPLY-7)")
    case.commit(create(), open_producer("a", 1))
    case.commit(finish(claim("a", 0, 0)))
    return case.commit(open_producer("b", 2), publish(claim("b", 2, 0)))


def _sealing_when_finished():
    case = Case("valid/conditional-seal", "ALL_FINISHED waits for every declared and every opened producer (APPLY-8)")
    case.commit(create(), open_producer("a", 1), open_producer("b", 2))
    case.commit(
        seal("ALL_FINISHED").but("unfinished"), finish(claim("a", 0, 0)), seal("ALL_FINISHED").but("unfinished")
    )
    case.commit(
        publish(claim("b", 0, 0)),
        finish(claim("b", 0, 1)),
        open_producer("c", 3),
        seal("ALL_FINISHED").but("unfinished"),
    )
    return case.commit(finish(claim("c", 2, 0)), seal("ALL_FINISHED"), seal().but("sealed"))


def _sealing_nobody():
    case = Case("valid/seal-of-nobody", "Nobody is declared or open, so everybody has finished (APPLY-8)")
    return case.commit(create(), seal("ALL_FINISHED"))
