"""What jobs and operators say: APPLY-10 to APPLY-16, each in its branches."""

from cases.build import (
    Case,
    alter,
    attach,
    checkpoint,
    claim,
    create,
    detach,
    open_producer,
    publish,
    release,
    seal,
    session,
    skip,
    unskip,
)

ONES = bytes([1] * 32)


def cases():
    return [
        _attaching(),
        _sessions(),
        _former_sessions(),
        _checkpoints(),
        _rolling_back(),
        _releasing(),
        _skipping(),
        _receipts_of_what_was_given(),
        _settings(),
    ]


def of_steps(name, about, steps):
    """A dataset with so many steps; its next version is 1."""
    case = Case(f"valid/{name}", about)
    return case.commit(create(), open_producer("p", 1), *(publish(claim("p", 0, at)) for at in range(steps)))


def _attaching():
    case = of_steps("jobs-attach", "Jobs attach, detach, and come back (APPLY-10, APPLY-11)", 3)
    case.commit(attach("j", 1), attach("j", 1).but("already in"), attach("j", 2).but("attached"))
    case.commit(attach("k", 3, from_step=4).but("beyond"), attach("k", 3, from_step=3, keep=1024))
    case.commit(detach("nobody", 1).but("not attached"), detach("j", 2).but("fenced"), seal())
    case.commit(detach("j", 1), detach("j", 1).but("already in"), session("j", 1, "s").but("detached"))
    # What is detached attaches under another id, and what named the old one is of the past.
    case.commit(attach("j", 1).but("already in"), attach("j", 4, from_step=1), detach("j", 1).but("fenced"))
    return case.commit(checkpoint("j", 4, "", "c", 2), session("j", 4, "s"), detach("j", 4), detach("k", 3))


def _sessions():
    case = of_steps("jobs-sessions", "A session starts once, and says where (APPLY-12)", 5)
    case.commit(session("j", 1, "s").but("not attached"), attach("j", 1, keep=3))
    case.commit(
        session("j", 1, "s", at="c").but("not kept"), session("j", 1, "s"), session("j", 1, "s").but("already in")
    )
    case.commit(checkpoint("j", 1, "s", "c", 2), checkpoint("j", 1, "s", "d", 4))
    case.commit(session("j", 1, "s", at="c").but("another start"), session("j", 1, "t"))
    case.commit(session("j", 1, "t", at="d").but("already in"), session("j", 1, "s").but("superseded"))
    case.commit(session("j", 1, "u", at="c"), session("j", 1, "v").but("second session"))
    # Who does not say where goes on where the job is, and that is where its last session started.
    return case.commit(session("j", 1, "w"), session("j", 1, "w", at="c").but("already in"))


def _former_sessions():
    case = of_steps("jobs-former-sessions", "The last 16 sessions before the latest one are known (APPLY-12)", 1)
    case.commit(attach("j", 1))
    for number in range(18):
        case.commit(session("j", 1, f"s{number}"))
    return case.commit(session("j", 1, "s1").but("superseded"), session("j", 1, "s0"))


def _checkpoints():
    case = of_steps("jobs-checkpoints", "When a checkpoint counts, and which are kept (APPLY-13)", 6)
    case.commit(attach("j", 1), checkpoint("j", 1, "", "a", 1), checkpoint("j", 1, "s", "b", 2).but("superseded"))
    case.commit(session("j", 1, "s"), checkpoint("j", 1, "", "b", 2).but("superseded"))
    case.commit(checkpoint("j", 1, "s", "b", 7).but("beyond"), checkpoint("j", 1, "s", "b", 6))
    case.commit(
        checkpoint("j", 1, "s", "b", 6).but("already in"),
        checkpoint("j", 1, "other", "b", 6).but("already in"),
        checkpoint("j", 1, "s", "b", 5).but("another checkpoint"),
        checkpoint("j", 1, "s", "b", 6, ONES).but("another checkpoint"),
    )
    # One at the same step is no step back; the oldest of three is not kept.
    case.commit(checkpoint("j", 1, "s", "c", 6, ONES))
    return case.commit(checkpoint("j", 1, "s", "a", 1).but("behind"), detach("j", 1))


def _rolling_back():
    case = of_steps(
        "jobs-rollback", "Back to an older checkpoint, by a session or by a checkpoint (APPLY-12, APPLY-13)", 9
    )
    case.commit(attach("j", 1, keep=3), session("j", 1, "s"))
    case.commit(*(checkpoint("j", 1, "s", f"at{step}", step) for step in (2, 4, 8)))
    case.commit(checkpoint("j", 1, "s", "back", 3).but("behind"), session("j", 1, "t", at="at4"))
    case.commit(checkpoint("j", 1, "t", "back", 3).but("behind"), checkpoint("j", 1, "t", "at5", 5))
    case.commit(checkpoint("j", 1, "t", "back", 3, rollback=True).but("not pinned"))
    case.commit(checkpoint("j", 1, "t", "back", 4, rollback=True), checkpoint("j", 1, "t", "at6", 6))
    return case.commit(session("j", 1, "u", at="at5"))


def _releasing():
    case = of_steps("jobs-release", "What is released pins nothing (APPLY-14)", 9)
    case.commit(attach("j", 1, keep=4), release("j", 1, "a").but("already in"))
    case.commit(*(checkpoint("j", 1, "", name, step) for name, step in (("a", 2), ("b", 4), ("c", 6))))
    case.commit(release("j", 1, "c").but("needed"), release("j", 1, "a"), release("j", 1, "a").but("already in"))
    case.commit(session("j", 1, "s", at="b"), release("j", 1, "b").but("needed"), release("j", 1, "c"))
    return case.commit(checkpoint("j", 1, "s", "d", 5), release("j", 1, "b"))


def _skipping():
    case = of_steps("skips", "Steps are skipped, and are not any more (APPLY-15)", 9)
    case.commit(skip(2, 3), skip(2, 3, "again").but("already in"), skip(3, 3).but("already in"))
    case.commit(skip(1, 5, "wider"), skip(2**63 - 2, 2**63 - 2, "never published"))
    case.commit(unskip(6, 100).but("already in"), unskip(3, 4), unskip(3, 4).but("already in"))
    case.commit(skip(0, 6, "the rest"), unskip(0, 0), attach("j", 1), checkpoint("j", 1, "", "c", 3))
    case.commit(skip(0, 0).but("seen"), skip(0, 100).but("seen"), attach("k", 2))
    # A job may still start at 0: the step is skipped for it.
    case.commit(skip(0, 0), detach("k", 2), unskip(0, 2), skip(2, 2).but("seen"), skip(3, 8, "ahead"))
    return case.commit(unskip(0, 2**63 - 2))


def _receipts_of_what_was_given():
    case = of_steps("jobs-skips", "A session passes over what was skipped when it started (APPLY-12, JOB-1)", 9)
    case.commit(attach("j", 1, from_step=1, keep=4), skip(3, 4), session("j", 1, "s"), skip(6, 6))
    case.commit(checkpoint("j", 1, "s", "early", 3), checkpoint("j", 1, "s", "a", 4), checkpoint("j", 1, "s", "b", 8))
    # From here on steps 3 and 4 are skipped no more, but what "b" saw stays what it saw.
    case.commit(unskip(3, 4), session("j", 1, "t"), checkpoint("j", 1, "t", "c", 9))
    case.commit(session("j", 1, "u", at="a"), skip(5, 5), checkpoint("j", 1, "u", "d", 9))
    return case.commit(session("j", 1, "v", at="a"), attach("plain", 2), session("plain", 2, "s", at=""))


def _settings():
    case = of_steps("settings", "Settings change one by one, and decide what is kept (APPLY-16, JOB-4)", 6)
    case.commit(
        alter(MaxLead=10), alter(MaxLead=10).but("already in"), alter(Retention="CHECKPOINTS").but("already in")
    )
    case.commit(attach("j", 1), checkpoint("j", 1, "", "c", 5), alter(KeepSteps=2, MaxLead=10))
    case.commit(publish(claim("p", 0, 6)), alter(KeepSteps=0, KeepFor=1001))
    case.commit(alter(KeepFor=3001, MaxLead=0)).commit(alter(KeepFor=1))
    case.commit(alter(Retention="FOREVER")).commit(alter(Retention="CHECKPOINTS"), detach("j", 1))
    return case.commit(alter(KeepFor=2**63 - 1, KeepSteps=2**63 - 1))
