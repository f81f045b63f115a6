/* The protocol of a BatchWeave dataset, for SPIN (see README.md).
 *
 * Each cast is a few participants, small enough that all they can ever do is searched. It is chosen by -DCAST;
 * -DWITHOUT_RULE leaves a rule out, and then an invariant must fail. An invariant bears the id of the rule that
 * promises it, in spec.md, and so does the assertion that fails.
 */

#define MUST(invariant, condition) invariant = (condition); assert(invariant)

bool STORE_1 = true;     /* what was reported as failed never takes effect */
bool LOG_2 = true;       /* the log has no gap */
bool LOG_3 = true;       /* what was acknowledged is in the log */
bool LOG_6 = true;       /* only the incarnation that opened an epoch publishes in it, and none of an older one */
bool APPLY_4 = true;     /* a claim takes effect at most once */
bool PRODUCE_1 = true;   /* a batch that takes effect has its payload */
bool READ_3 = true;      /* what is delivered is what the log said first */
bool TRIM_1 = true;      /* a State that is saved, or acknowledged by, is that of the log as it was first */
bool TRIM_2 = true;      /* what is reported as lost, or as the end of the log, is */
bool TRIM_3 = true;      /* a State and all commits after it are there, and reach every boundary */
bool SWEEP_1 = true;     /* the payload of a step that is not below the low step is there */
bool SWEEP_2 = true;     /* so is payload that can still be committed */
bool SWEEP_3 = true;     /* no pinned step is below the low step */

#if defined(PUBLISHING)
/* Two incarnations and another producer, which carries the claim of one; nothing is trimmed. */
#define VERSIONS         5
#define LATE_COMMITS     COMMIT(open0) COMMIT(open1) COMMIT(publish0) COMMIT(publish1) COMMIT(carry)
#define PARTICIPANTS     run Writer(0); run Writer(1); run Carrier(); run Reader()

#elif defined(TRIMMING)
#define VERSIONS         4
#define LATE_COMMITS     COMMIT(open0) COMMIT(open1) COMMIT(publish0) COMMIT(publish1)
#define PARTICIPANTS     run Writer(0); run Writer(1); run Trimmer()

#elif defined(READING)
#define VERSIONS         3
#define ONLY_OPENS(w)    (w == 1)
#define LATE_COMMITS     COMMIT(open0) COMMIT(open1) COMMIT(publish0)
#define PARTICIPANTS     run Writer(0); run Writer(1); run Reader(); run Trimmer()

#elif defined(TRIMMERS)
#define VERSIONS         3
#define IN_DOUBT         true
#define LATE_COMMITS     COMMIT(open0) COMMIT(publish0)
#define LATE_OTHERS      EACH_COUNT(STATE) EACH_COUNT(BOUNDARY)
#define PARTICIPANTS     run Writer(0); run Reader(); run Trimmer(); run Trimmer()

#elif defined(SAVING)
#define VERSIONS         3
#define ONLY_OPENS(w)    true
#define LATE_COMMITS     COMMIT(open0) COMMIT(open1)
#define PARTICIPANTS     run Writer(0); run Writer(1); run Trimmer(); run Trimmer()

#elif defined(BIRTH)
#define VERSIONS         3
#define ONLY_OPENS(w)    true
#define LATE_COMMITS     COMMIT(create0) COMMIT(create1) COMMIT(open0)
#define PARTICIPANTS     run Creator(0); run Creator(1); run Reader(); run Trimmer()

#elif defined(CLOCK)
#define VERSIONS         3
#define AGE              2
#define ONLY_OPENS(w)    true
#define LATE_COMMITS     COMMIT(open0) COMMIT(open1)
#define PARTICIPANTS     run Clock(); run Timed(); run Writer(1); run Trimmer()

#elif defined(PINNING)
#define VERSIONS         5
#define LATE_COMMITS     COMMIT(open0) COMMIT(publish0) COMMIT(attach) COMMIT(checkpoint) COMMIT(lower)
#define PARTICIPANTS     run Writer(0); run Job(); run Sweeper()

#elif defined(SWEEPING)
#define VERSIONS         4
#define ONLY_OPENS(w)    (w == 1)
#define LATE_COMMITS     COMMIT(open0) COMMIT(open1) COMMIT(publish0) COMMIT(lower)
#define PARTICIPANTS     run Writer(0); run Writer(1); run Sweeper()

#elif defined(ORPHANS)
/* Incarnation 0 has opened and made its payload durable; then a job has attached. */
#define VERSIONS         3
#define ONLY_OPENS(w)    (w == 1)
#define LATE_COMMITS     COMMIT(open1) COMMIT(lower)
#define PARTICIPANTS     land(open0, 0); epochOf[0] = 1; ADD(payload, 0); land(attach, 1); \
                         run Writer(1); run Trimmer(); run Sweeper()
#endif

#ifndef ONLY_OPENS
#define ONLY_OPENS(w)    false
#endif
#ifndef IN_DOUBT
#define IN_DOUBT         false
#endif

#include "state.pml"
#include "store.pml"
#include "participants.pml"
#include "deleting.pml"
#ifdef CLOCK
#include "clock.pml"
#endif

init {
    atomic { run Network(); PARTICIPANTS }
}
