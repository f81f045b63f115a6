/* Who passes over CHECK by the store's clock (TRIM-7).
 *
 * A response carries the store's time, from after the request took effect and before the response arrived; no other
 * clock is asked. Times are kept as ages, which stop growing at AGE: what is as old as that is of no use. So there is
 * no last hour.
 */

#ifdef WITHOUT_T0
#define NO_T0            0
#else
#define NO_T0            AGE
#endif

byte seen;               /* the time in the latest response, before which the next request is not sent */
byte since = NO_T0;      /* t0: what comes after `sure` was created later */
byte asked = AGE;        /* `seen` when the version after `sure` was asked for */
byte made = AGE;         /* `seen` when we offered what is now our last version */

inline age(time) {
    time = (time < AGE -> time + 1 : AGE)
}

proctype Clock() {
    do
    :: d_step { age(seen); age(since); age(asked); age(made); age(bornAt[0]); age(bornAt[1]); age(bornAt[2]) }
    od
}

#ifdef WITHOUT_TIME_AFTER_THE_EFFECT
#define YOUNG            (since - seen < AGE)
#else
#define YOUNG            (since < AGE)
#endif
#ifdef WITHOUT_CONFIRMED_ABSENCE
#define IS_ABSENT        true
#else
#define IS_ABSENT        (!FOUND || YOUNG)
#endif
#ifdef WITHOUT_EARLIER_TIME
#define T0               0
#else
#define T0               asked
#endif

/* Opens, follows the log and delivers. */
proctype Timed() {
    bit young, asks;
    PARTICIPANT;
    do
    :: atomic { !asks && s.opener != open0 && s.next < VERSIONS ->
        ADD(sent[s.next], open0);
        if
        :: log[s.next] == NONE ->
            printf("%d opens at log/%d\n", _pid, s.next);
            land(open0, s.next);
            d_step { apply(s, open0) };
            young = YOUNG; made = seen; seen = 0
        :: true
        fi }
    :: atomic { !asks && THERE ->
        read();
        young = YOUNG; made = AGE; seen = 0 }
    :: atomic { !asks && sure < s.next && (!FOUND || young) ->
        if
        :: !FOUND -> printf("%d delivers what %d commits say\n", _pid, s.next)
        :: else -> printf("%d delivers what %d commits say, without having looked for a boundary\n", _pid, s.next)
        fi;
        MUST(READ_3, !s.astray);
        sure = s.next; young = 0;
#ifdef WITHOUT_T0
        since = 0;
#endif
        since = (made < AGE -> made : since); made = AGE }
    :: atomic { !asks && sure == s.next && !THERE ->
        printf("%d finds log/%d absent\n", _pid, s.next);
        asks = true; asked = seen }
    :: atomic { asks && IS_ABSENT ->
        printf("%d has seen log/%d absent\n", _pid, s.next);
        asks = false; since = T0; asked = AGE; seen = 0 }
    :: atomic { (asks || sure < s.next) && FOUND ->
        reload();
        asks = false; young = 0; asked = AGE; made = AGE; since = NO_T0 }
    od
}
