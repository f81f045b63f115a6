/* Who writes and who reads.
 *
 * Each has a State s. The first `sure` of its commits are sure; those after them, which were read or created since, are
 * tentative (TRIM-4). Between two steps anyone may stop, for any time or for ever.
 */
#define PARTICIPANT      DatasetState s; byte sure; bit looked; load()

/* CHECK (TRIM-5): a boundary lies after what was sure before the run. */
#if defined(WITHOUT_CHECK)
#define FOUND            false
#elif defined(WITHOUT_SURE_BEFORE_THE_RUN)
#define FOUND            (boundary > s.next)
#else
#define FOUND            (boundary > sure)
#endif
#define CONFIRMED        (sure == s.next || !FOUND)

/* What waits for it (TRIM-6). */
#if defined(WITHOUT_CHECK_BEFORE_ACKNOWLEDGING)
#define MAY_ACKNOWLEDGE  true
#elif defined(WITHOUT_CHECK_AFTER_THE_RESPONSE)
#define MAY_ACKNOWLEDGE  looked
#elif defined(WITHOUT_CHECK_AT_BIRTH)
#define MAY_ACKNOWLEDGE  (sure == 0 || CONFIRMED)
#else
#define MAY_ACKNOWLEDGE  CONFIRMED
#endif
#ifdef WITHOUT_CHECK_OF_READS
#define MAY_DELIVER      true
#else
#define MAY_DELIVER      CONFIRMED
#endif
#ifdef WITHOUT_CHECK_OF_REPORTS
#define MAY_REPORT       true
#else
#define MAY_REPORT       CONFIRMED
#endif
#ifdef WITHOUT_CHECK_OF_THE_END
#define MAY_END          true
#else
#define MAY_END          (!FOUND)
#endif

/* The newest State. It is listed and read at one moment: if it was deleted in between it is listed again, and if another
 * came in between it is as if we had been slow afterwards. */
inline load() {
    d_step {
        sure = VERSIONS;
        do
        :: sure > 0 && !HAS(states, sure) -> sure--
        :: else -> break
        od;
        clear(s);
        do
        :: s.next < sure -> apply(s, first[s.next])
        :: else -> break
        od;
        MUST(TRIM_3, sure >= boundary)
    }
}

inline reload() {
    printf("%d finds boundary %d after %d\n", _pid, boundary, sure);
    load()
}

#define THERE            (s.next < VERSIONS && log[s.next] != NONE)

inline read() {
    if
    :: log[s.next] == first[s.next] -> printf("%d reads log/%d: %e\n", _pid, s.next, log[s.next])
    :: else -> printf("%d reads log/%d: %e, which it was not at first\n", _pid, s.next, log[s.next])
    fi;
    d_step { apply(s, log[s.next]) }
}

#ifdef WITHOUT_ORDER
#define OFFERED          (s.next + 1)
#else
#define OFFERED          s.next          /* LOG-2 */
#endif

inline offer(c) {
    ADD(sent[OFFERED], c);
    if
    :: log[OFFERED] == NONE ->
        if
        :: OFFERED < truth.next -> printf("%d offers log/%d: %e, done: it is reborn\n", _pid, OFFERED, c)
        :: else -> printf("%d offers log/%d: %e, done\n", _pid, OFFERED, c)
        fi;
        land(c, OFFERED);
        d_step { apply(s, c) }
    :: log[OFFERED] != NONE ->
        printf("%d offers log/%d: %e, refused\n", _pid, OFFERED, c);
#ifdef WITHOUT_LOOKING
        giveUp(c)
#endif
    :: true ->
        printf("%d offers log/%d: %e, unknown\n", _pid, OFFERED, c);
#ifdef WITHOUT_DOUBT
        giveUp(c)
#endif
    fi
}

inline giveUp(c) {
    ADD(givenUp, c);
    MUST(STORE_1, !HAS(taken, c));
    goto end
}

/* Offers a commit at later and later versions until it is in, or lost: it can never be (LOG-3). */
inline append(c, in, lost, isLost) {
    do
    :: atomic { !(in) && !(lost) && OFFERED < VERSIONS -> offer(c) }
    :: atomic { !(in) && THERE -> read() }
    :: atomic { ((in) || (lost)) && FOUND -> reload() }
    :: atomic { (in) && MAY_ACKNOWLEDGE ->
        if
        :: sure == s.next -> printf("%d finds %e in a State, and acknowledges it\n", _pid, c)
        :: else -> printf("%d acknowledges %e\n", _pid, c)
        fi;
        MUST(LOG_3, HAS(taken, c));
        MUST(TRIM_1, !s.astray);
        sure = s.next;
        break }
    :: atomic { (lost) && MAY_REPORT ->
        printf("%d reports that %e is lost\n", _pid, c);
        MUST(TRIM_2, isLost);
        goto end }
#ifdef WITHOUT_CHECK_AFTER_THE_RESPONSE
    :: atomic { !looked && !FOUND -> looked = true }
#endif
    od
}

/* What is known no more makes no difference between states. */
inline retire() {
    clear(s); sure = 0; looked = 0
}

/* An incarnation of the producer. */
proctype Writer(bit w) {
    PARTICIPANT;
#ifdef WITHOUT_CONFIRMED_OPENING
    atomic { ADD(sent[s.next], OPEN(w)); epochOf[w] = s.next + 1; sequenceOf[w] = s.steps };
#else
    append(OPEN(w), s.opener == OPEN(w), false, false);
    atomic {
        epochOf[w] = s.epoch; sequenceOf[w] = s.steps;
        if
        :: ONLY_OPENS(w) -> goto end
        :: else
        fi
    };
#endif
#ifndef WITHOUT_PAYLOAD_FIRST
    atomic { printf("%d uploads the batch of %d\n", _pid, w); ADD(payload, w) };
#endif
    append(PUBLISH(w), IN(s, w), FENCED(s, w), FENCED(truth, w));
end:
    atomic { retire() }
}

/* Another producer. It finds the claim that incarnation 0 has left, and carries it in its own commit. */
proctype Carrier() {
    HAS(payload, 0);
    PARTICIPANT;
    append(carry, s.carried, false, false);
end:
    atomic { retire() }
}

proctype Creator(bit w) {
    PARTICIPANT;
    append(CREATE(w), s.creator == CREATE(w), s.creator == CREATE(1 - w), truth.creator == CREATE(1 - w));
    append(OPEN(w), s.opener == OPEN(w), false, false);
end:
    atomic { retire() }
}

proctype Job() {
    PARTICIPANT;
    append(attach, s.pin != NO_PIN, s.pin == NO_PIN && s.low == 1, truth.low == 1);
    append(checkpoint, s.pin == STEP_1, false, false);
end:
    atomic { retire() }
}

/* Follows the log, delivers what it says, and says where it ends. */
proctype Reader() {
    bit missed, ended;
    PARTICIPANT;
    do
    :: atomic { !missed && THERE -> read() }
    :: atomic { !missed && !THERE -> missed = 1; ended = s.next == truth.next }
    :: atomic { FOUND -> reload(); missed = 0; ended = 0 }
    :: atomic { !missed && sure < s.next && MAY_DELIVER ->
        printf("%d delivers what %d commits say\n", _pid, s.next);
        MUST(READ_3, !s.astray);
        sure = s.next }
    :: atomic { missed && MAY_END ->
        printf("%d says that the log has %d commits\n", _pid, s.next);
        MUST(TRIM_2, ended);
        sure = s.next; missed = 0; ended = 0 }
    od
}
