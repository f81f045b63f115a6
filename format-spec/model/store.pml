/* The object store, and what nobody in the model can see: what came first, and what follows from it.
 *
 * States and boundaries are numbered by counts: n stands for the versions 0 .. n-1, and 0 for none.
 *
 * A request to create an object may arrive at once, late, twice or never. Reading, listing and deleting happen at one
 * moment: an answer that comes late is the same as an asker who is slow, as all may be.
 */

byte log[VERSIONS];      /* what lies at log/v: a commit, or NONE */
short sent[VERSIONS];    /* the commits that were ever sent there: each may arrive at any time, and again */
byte states;             /* the saved States */
byte lateStates;         /* those that were sent with an unknown outcome, and may arrive at any time, and again */
byte boundary;           /* the highest boundary; the others do not count */
byte lateBoundaries;
byte payload;            /* the payload objects, a bit for each incarnation */

#ifdef CLOCK
byte bornAt[VERSIONS];   /* when log/v was created (see clock.pml) */
#endif

byte first[VERSIONS];    /* what log/v was when it was created first */
DatasetState truth;      /* the State of that */
short taken;             /* the commits that have taken effect in it */
short givenUp;           /* the commits that were reported as failed */

byte i;                  /* counts within one step; otherwise 0 */

/* log/v is created. Below the end of the log it was there before, and is reborn. */
inline land(c, v) {
    d_step {
        log[v] = c;
#ifdef CLOCK
        bornAt[v] = 0;
#endif
        if
        :: v < truth.next
        :: else ->
            MUST(LOG_2, v == truth.next);
            first[v] = c;
            witness(c);
            apply(truth, c);
            MUST(SWEEP_3, truth.low == 0 || truth.pin != STEP_0)
        fi
    }
}

inline witness(c) {
    if
    :: OPENS(c) || c == checkpoint -> ADD(taken, c)
    :: CREATES(c) && truth.next == 0 -> ADD(taken, c)
    :: c == publish0 -> witnessBatch(0)
    :: c == publish1 -> witnessBatch(1)
    :: c == carry -> witnessBatch(0); ADD(taken, c)
    :: c == attach && truth.low == 0 -> ADD(taken, c)
    :: c == lower && LOWERS(truth) -> ADD(taken, c)
    :: else
    fi
}

inline witnessBatch(w) {
    if
    :: COUNTS(truth, w) ->
        MUST(LOG_6, truth.opener == OPEN(w));
        MUST(APPLY_4, !HAS(taken, PUBLISH(w)));
        MUST(STORE_1, !HAS(givenUp, PUBLISH(w)));
        MUST(PRODUCE_1, HAS(payload, w));
        ADD(taken, PUBLISH(w))
    :: else
    fi
}

/* Whoever comes now must find a State, and every commit after it. */
inline mustOpen() {
    i = VERSIONS;
    do
    :: i > 0 && !HAS(states, i) -> i--
    :: else -> break
    od;
    do
    :: i < truth.next -> MUST(TRIM_3, log[i] != NONE); i++
    :: else -> break
    od;
    i = 0
}

#define COMMIT_AT(c, v)  :: HAS(sent[v], c) && log[v] == NONE -> commit = c; version = v
#define STATE(n)         :: atomic { HAS(lateStates, n) && !HAS(states, n) -> \
                            printf("state %d arrives late\n", n); ADD(states, n) }
#define BOUNDARY(n)      :: atomic { HAS(lateBoundaries, n) && boundary < n -> \
                            printf("boundary %d arrives late\n", n); boundary = n }
#if VERSIONS == 3
#define EACH(X)          X(0) X(1) X(2)
#define EACH_COUNT(X)    X(1) X(2) X(3)
#define COMMIT(c)        COMMIT_AT(c, 0) COMMIT_AT(c, 1) COMMIT_AT(c, 2)
#elif VERSIONS == 4
#define EACH(X)          X(0) X(1) X(2) X(3)
#define EACH_COUNT(X)    X(1) X(2) X(3) X(4)
#define COMMIT(c)        COMMIT_AT(c, 0) COMMIT_AT(c, 1) COMMIT_AT(c, 2) COMMIT_AT(c, 3)
#elif VERSIONS == 5
#define EACH(X)          X(0) X(1) X(2) X(3) X(4)
#define EACH_COUNT(X)    X(1) X(2) X(3) X(4) X(5)
#define COMMIT(c)        COMMIT_AT(c, 0) COMMIT_AT(c, 1) COMMIT_AT(c, 2) COMMIT_AT(c, 3) COMMIT_AT(c, 4)
#endif

/* The requests that are on their way. */
proctype Network() {
    byte commit, version;
    do
    :: atomic {
        if
        LATE_COMMITS
        fi;
        if
        :: version < truth.next -> printf("log/%d is reborn as a late %e\n", version, commit)
        :: else -> printf("log/%d is a late %e\n", version, commit)
        fi;
        land(commit, version);
        commit = NONE; version = 0 }
#ifdef LATE_OTHERS
    LATE_OTHERS
#endif
    od
}
