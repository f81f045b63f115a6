/* The State, and what commits mean to it (spec.md, "State and apply").
 *
 * There is one producer. Its incarnations are w = 0 and 1, and each publishes one batch. So there are as many steps as
 * claims are in, and the next sequence is the number of steps. A job has pinned the steps from 1 on all the time;
 * another one comes, pins those from 0 on, and goes on to 1.
 */

typedef DatasetState {
    unsigned next : 3;         /* the version that comes next: all below it are applied */
    unsigned epoch : 3;        /* the version of the opening that counts, + 1; 0: nobody has opened */
    unsigned steps : 2;
    unsigned published : 2;    /* whose batch is in, a bit for each incarnation */
    unsigned pin : 2;          /* what the other job pins: NO_PIN, STEP_0 or STEP_1 */
    bit low;                   /* the low step */
    bit carried;               /* the carrier's own entry is in */
    bit astray;                /* known to nobody in the model: holds what was not the first commit of its version */
    byte opener;               /* the opening that counts */
    byte creator               /* the creation that counts */
}

#define NO_PIN           0
#define STEP_0           1
#define STEP_1           2

/* What a commit says; nothing in it depends on where it lies (LOG-1). SPIN counts from the last one, which is 1. */
mtype = { create1, create0, lower, checkpoint, attach, carry, publish1, publish0, open1, open0 };

#define NONE             0
#define OPEN(w)          (open0 + (w))
#define PUBLISH(w)       (publish0 + (w))
#define CREATE(w)        (create0 + (w))
#define OPENS(c)         (c == open0 || c == open1)
#define CREATES(c)       (c == create0 || c == create1)

/* The claims: set when the incarnation has confirmed its opening, and never changed. */
byte epochOf[2];
byte sequenceOf[2];

#define BIT(n)           (1 << (n))
#define HAS(set, n)      (((set) >> (n)) & 1)
#define ADD(set, n)      set = set | BIT(n)
#define REMOVE(set, n)   set = set & ~BIT(n)

/* What speaks against a claim (APPLY-4). */
#ifdef WITHOUT_FENCING
#define OF_EPOCH(s, w)   (epochOf[w] > 0 && epochOf[w] <= s.epoch)
#define FENCED(s, w)     false
#else
#define OF_EPOCH(s, w)   (epochOf[w] > 0 && epochOf[w] == s.epoch)
#define FENCED(s, w)     (epochOf[w] < s.epoch)
#endif
#define IN(s, w)         (OF_EPOCH(s, w) && sequenceOf[w] < s.steps)
#ifdef WITHOUT_CLAIMS
#define COUNTS(s, w)     (OF_EPOCH(s, w) && sequenceOf[w] <= s.steps)
#else
#define COUNTS(s, w)     (OF_EPOCH(s, w) && sequenceOf[w] == s.steps)
#endif

/* Whether the low step may become 1 (SWEEP-3). */
#if defined(WITHOUT_PINS) || defined(WITHOUT_JUDGING_AGAIN)
#define LOWERS(s)        true
#else
#define LOWERS(s)        (s.pin != STEP_0)
#endif

inline publish(s, w) {
    if
    :: COUNTS(s, w) -> s.steps++; ADD(s.published, w)
    :: else
    fi
}

inline apply(s, c) {
    if
    :: CREATES(c) && s.next == 0 -> s.creator = c
    :: OPENS(c) && s.opener != c -> s.opener = c; s.epoch = s.next + 1
    :: c == publish0 -> publish(s, 0)
    :: c == publish1 -> publish(s, 1)
    :: c == carry && !s.carried -> publish(s, 0); s.carried = 1
    :: c == attach && s.pin == NO_PIN && s.low == 0 -> s.pin = STEP_0
    :: c == checkpoint && s.pin == STEP_0 -> s.pin = STEP_1
    :: c == lower && LOWERS(s) -> s.low = 1
    :: else
    fi;
    s.astray = s.astray || first[s.next] != c;
    s.next++
}

inline clear(s) {
    s.next = 0; s.epoch = 0; s.steps = 0; s.published = 0; s.pin = NO_PIN; s.low = 0; s.carried = 0;
    s.astray = 0; s.opener = NONE; s.creator = NONE
}
