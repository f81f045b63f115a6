/* Who deletes. */

#ifdef WITHOUT_CONFIRMED_STATE
#define MAY_SAVE         true
#else
#define MAY_SAVE         CONFIRMED
#endif
#if defined(CLOCK) && !defined(WITHOUT_MINIMUM_AGE)
#define OLD_ENOUGH(v)    (bornAt[v] == AGE)
#else
#define OLD_ENOUGH(v)    true
#endif
#if defined(WITHOUT_OWN_STATE)
#define SUPERSEDED(n)    (n <= f)
#elif defined(WITHOUT_NEWER_STATES)
#define SUPERSEDED(n)    (n != s.next)
#else
#define SUPERSEDED(n)    (n < s.next)
#endif

#define DELETE_COMMIT(v) :: v < f && log[v] != NONE && OLD_ENOUGH(v) -> \
                            printf("%d deletes log/%d\n", _pid, v); log[v] = NONE
#define DELETE_STATE(n)  :: SUPERSEDED(n) && HAS(states, n) -> \
                            printf("%d deletes state %d\n", _pid, n); REMOVE(states, n)

/* Saves a State, sets a boundary f, then deletes (TRIM-8). One that stops after the first is a mere saver of States. */
proctype Trimmer() {
    byte f;
    PARTICIPANT;
    do
    :: atomic { THERE -> read() }
    :: atomic { FOUND -> reload() }
    :: atomic { s.next > 0 && MAY_SAVE -> sure = s.next; break }
    od;
    do
    :: atomic { true ->
        printf("%d saves state %d\n", _pid, s.next);
        MUST(TRIM_1, !s.astray);
        ADD(states, s.next);
        break }
    :: atomic { IN_DOUBT && !HAS(lateStates, s.next) ->
        printf("%d saves state %d: unknown\n", _pid, s.next);
        ADD(lateStates, s.next);
#ifdef WITHOUT_DURABLE_STATE
        break
#endif
        }
    od;
    atomic { select(f : 1 .. sure); d_step { clear(s); s.next = sure; sure = 0 } };
    do
    :: atomic { true ->
        printf("%d sets boundary %d\n", _pid, f);
        boundary = (f > boundary -> f : boundary);
        break }
    :: atomic { IN_DOUBT && !HAS(lateBoundaries, f) ->
        printf("%d sets boundary %d: unknown\n", _pid, f);
        ADD(lateBoundaries, f);
#ifdef WITHOUT_DURABLE_BOUNDARY
        break
#endif
        }
#ifdef WITHOUT_BOUNDARY_FIRST
    :: break
#endif
    od;
    do
    :: atomic {
        if
        EACH(DELETE_COMMIT)
        EACH_COUNT(DELETE_STATE)
#ifdef WITHOUT_KEEPING_BOUNDARIES
        :: boundary > 0 -> boundary = 0
#endif
        fi;
        d_step { mustOpen() } }
    :: break
    od
}

/* What can never be committed (SWEEP-5). */
#if defined(WITHOUT_LIVE_EPOCHS)
#define ORPHANED(w)      (epochOf[w] <= s.epoch)
#elif defined(WITHOUT_UNKNOWN_EPOCHS)
#define ORPHANED(w)      (epochOf[w] != s.epoch || sequenceOf[w] < s.steps)
#else
#define ORPHANED(w)      (epochOf[w] < s.epoch || (epochOf[w] == s.epoch && sequenceOf[w] < s.steps))
#endif
/* What nothing can need (SWEEP-4). */
#ifdef WITHOUT_LOW_STEP_FIRST
#define BELOW(w)         (sequenceOf[w] == 0 && s.pin != STEP_0)
#else
#define BELOW(w)         (sequenceOf[w] < s.low)
#endif
#ifdef WITHOUT_SURE_SWEEP
#define MAY_SWEEP        true
#else
#define MAY_SWEEP        CONFIRMED
#endif

#define DELETE_PAYLOAD(w) :: atomic { HAS(payload, w) && (HAS(s.published, w) -> BELOW(w) : ORPHANED(w)) -> \
                             printf("%d deletes the batch of %d\n", _pid, w); \
                             MUST(SWEEP_1, !HAS(taken, PUBLISH(w)) || sequenceOf[w] < truth.low); \
                             MUST(SWEEP_2, !COUNTS(truth, w)); \
                             REMOVE(payload, w) }

/* Raises the low step as far as pins allow, or does not, and deletes payload. */
proctype Sweeper() {
    PARTICIPANT;
    do
    :: atomic { THERE -> read() }
    :: atomic { FOUND -> reload() }
    :: atomic { MAY_SWEEP -> break }
    od;
    if
#ifdef WITHOUT_PINS
    :: true -> append(lower, s.low == 1, false, true)
#else
    :: s.pin != STEP_0 -> append(lower, s.low == 1, !LOWERS(s), true)
#endif
    :: true
    fi;
    do
    DELETE_PAYLOAD(0)
    DELETE_PAYLOAD(1)
    :: break
    od;
end:
    atomic { retire() }
}
