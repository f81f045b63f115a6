"""Which payload may be deleted, and which is gone (APPLY-18), and which epochs are remembered for it (APPLY-3)."""

from cases.build import (
    Case,
    alter,
    attach,
    checkpoint,
    claim,
    create,
    detach,
    finish,
    open_producer,
    publish,
    sweep,
)
from cases.readers import of_steps
from tgb import keys


def cases():
    return [_sweeping(), _policies(), _attaching(), _former_epochs(), _payload_gone(), _payload_missing()]


def _sweeping():
    case = of_steps("sweeps", "The low step rises, up to what must be kept (APPLY-18)", 9)
    case.commit(sweep(1).but("needed"), attach("j", 1), checkpoint("j", 1, "", "c", 7))
    case.commit(sweep(0).but("already in"), sweep(8).but("needed"), checkpoint("j", 1, "", "d", 8))
    case.commit(attach("k", 2, from_step=5), sweep(6).but("needed"), sweep(3), sweep(3).but("already in"))
    case.commit(sweep(5, 4).but("not given up"), sweep(4, 3), sweep(3, 3).but("already in"))
    # The swept step rises alone, and never falls.
    case.commit(sweep(4, 4), sweep(4, 4).but("already in"), sweep(5, 1), sweep(5, 3).but("already in"))
    # In one commit too, each is judged after what came before it.
    case.commit(detach("k", 2), sweep(7, 6).but("not given up"), sweep(7, 5), sweep(8, 7).but("needed"))
    # Once nobody needs anything, all steps may go, and no more than there are.
    case.commit(detach("j", 1), sweep(10).but("needed"), sweep(9, 7), publish(claim("p", 0, 9)), sweep(10, 9))
    return case.commit(sweep(10, 10), publish(claim("p", 0, 10)))


def _policies():
    case = of_steps("sweeps-and-policies", "Policies bound the low step (APPLY-18, JOB-4)", 9)
    case.commit(attach("j", 1, keep=1), checkpoint("j", 1, "", "c", 7), alter(KeepSteps=6, KeepFor=2**40))
    case.commit(sweep(1).but("needed"), alter(KeepFor=0))
    case.commit(sweep(4).but("needed"), sweep(2), alter(KeepSteps=8))
    # The policy asks for more than there is by now; what is given up stays so.
    case.commit(sweep(3, 2).but("needed"), sweep(2, 2), alter(Retention="FOREVER"), sweep(3, 2).but("needed"))
    return case.commit(alter(Retention="CHECKPOINTS", KeepSteps=0), sweep(7, 2))


def _attaching():
    case = of_steps("jobs-attach-at-low-step", "Nobody attaches where payload may be gone (APPLY-10)", 5)
    case.commit(attach("j", 1, from_step=3), sweep(3))
    case.commit(attach("k", 2, from_step=2).but("swept"), attach("k", 2, from_step=3), attach("l", 3, from_step=5))
    # Whichever of the two comes first in the log counts.
    case.commit(detach("j", 1), detach("k", 2), attach("m", 4, from_step=4), sweep(5).but("needed"))
    return case.commit(detach("m", 4), sweep(5), attach("n", 5, from_step=4).but("swept"))


def _former_epochs():
    case = Case("valid/former-epochs", "Epochs of which payload is kept are remembered (APPLY-3, APPLY-18)")
    case.commit(create(), open_producer("p", 1), publish(claim("p", 0, 0)), publish(claim("p", 0, 1)))
    case.commit(open_producer("p", 2), open_producer("q", 3))
    # An epoch that published nothing, and one that only finished, leave nothing that is needed.
    case.commit(open_producer("p", 4))
    case.commit(publish(claim("q", 1, 0)), publish(claim("p", 2, 2)), finish(claim("p", 2, 3)))
    case.commit(open_producer("p", 5), finish(claim("p", 4, 4)))
    case.commit(open_producer("p", 6), open_producer("q", 7), attach("j", 1), checkpoint("j", 1, "", "c", 4))
    case.commit(sweep(1)).commit(sweep(2)).commit(sweep(3, 2))
    case.commit(publish(claim("p", 5, 5)), checkpoint("j", 1, "", "d", 5), checkpoint("j", 1, "", "e", 5))
    case.commit(sweep(5))
    # All that this epoch published may be gone by the time it is replaced.
    return case.commit(open_producer("p", 8), publish(claim("q", 5, 1)), open_producer("q", 9))


def _payload_gone():
    case = of_steps("swept", "Payload below the low step may be gone, in part as well (SWEEP-1)", 5)
    case.commit(attach("j", 1, from_step=4), sweep(2), sweep(4, 2))
    for step in (0, 1, 3):
        key = keys.data(claim("p", 0, step), 0)
        del case.objects[key]
        case.swept.add(key)
    return case


def _payload_missing():
    case = of_steps("payload-absent-at-low-step", "Payload is missing that is kept (SWEEP-1, READ-2)", 4)
    case.path = case.path.replace("valid/", "invalid/")
    case.commit(attach("j", 1, from_step=2), sweep(2), publish(claim("p", 0, 4)))
    for step in (1, 2):
        del case.objects[keys.data(claim("p", 0, step), 0)]
    case.swept.add(keys.data(claim("p", 0, 1), 0))
    missing = keys.data(claim("p", 0, 2), 0)
    case.refused_payload = {(missing, "part"): "missing", (missing, 0): "missing"}
    case.arrow_judges = False
    return case
