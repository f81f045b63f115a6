package io.batchweave.testing;

import io.batchweave.world.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lets real threads run one at a time, and decides before every {@link Move} whose turn it is: what
 * they do together is then a function of the {@link Choice} and nothing else.
 *
 * <p>Between two moves a thread only computes, and threads of different hosts share nothing but the
 * store, so nothing is lost by letting it. Threads of one host wait for each other by their world's
 * pause; one that waits in another way, such as for a lock that is held across a call, keeps the
 * turn for ever, which is seen and told. A call of the store takes a millisecond; when all pause,
 * time goes on to the end of the first pause.
 *
 * <p>A call from outside, before or after {@link #play}, is no move and is simply made.
 */
public final class Turns {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CALL = Duration.ofMillis(1);
    private static final ThreadLocal<Player> SELF = new ThreadLocal<>();
    private static final ExecutorService THREADS =
            Executors.newCachedThreadPool(
                    task -> {
                        Thread thread = new Thread(task, "turns");
                        thread.setDaemon(true);
                        return thread;
                    });

    private final Choice choice;
    private final HandClock clock;
    private final long movesMax;
    private final List<Player> players = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Semaphore over = new Semaphore(0);
    private Consumer<Host> fate = host -> {};
    private volatile Player holder;
    private final AtomicLong moves = new AtomicLong();
    private Throwable failure;

    /**
     * @param clock everybody's; it is moved to the end of pauses
     * @param movesMax after so many moves the run has failed: somebody goes in circles
     */
    public Turns(Choice choice, HandClock clock, long movesMax) {
        this.choice = choice;
        this.clock = clock;
        this.movesMax = movesMax;
    }

    /** Ends a thread that may make no further move. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** Ends a run that {@link Choice#ofMoves} found not to be worth going on with. */
    public static final class Pruned extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Pruned() {
            super("not worth going on with", null, false, false);
        }
    }

    /** A new process. */
    public Host host(String name) {
        return new Host(this, name);
    }

    public HandClock clock() {
        return clock;
    }

    /** Does something in the thread that is about to move, such as killing or freezing its host. */
    public void beforeMoves(Consumer<Host> newFate) {
        fate = newFate;
    }

    /** All moves so far, with what was noted of them. */
    public List<String> trace() {
        return List.copyOf(trace);
    }

    /** Notes what came of the last move. */
    public void note(String text) {
        int last = trace.size() - 1;
        if (last >= 0) {
            trace.set(last, trace.get(last) + " | " + text);
        }
    }

    /** Plays until all threads have ended; fails if one has failed, or if none can go on. */
    public void play() {
        if (players.isEmpty()) {
            return;
        }
        give(choose(players.get(0)));
        awaitEnd();
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }

    private void awaitEnd() {
        try {
            long before = -1;
            while (!over.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                if (before == moves.get()) {
                    throw new AssertionError(
                            holder.next
                                    + " was its last move, and it waits outside of its world:\n  "
                                    + holder.stack());
                }
                before = moves.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while threads were taking turns", e);
        }
    }

    void start(Host host, Runnable task) {
        if (SELF.get() != null && SELF.get().isDoomed()) {
            throw new Killed();
        }
        players.add(new Player(host, task));
    }

    void move(Host host, String verb, String key) {
        if (SELF.get() != null) {
            SELF.get().rest(new Move(host.name(), verb, key), Instant.MIN, () -> true);
            clock.move(CALL);
            SELF.get().meetFate();
        }
    }

    void pause(Host host, Duration duration) {
        if (SELF.get() == null) {
            clock.move(duration);
            return;
        }
        Instant end = clock.instant().plus(duration);
        SELF.get().rest(new Move(host.name(), Move.PAUSE, ""), end, () -> true);
        SELF.get().meetFate();
    }

    /** Whether the calling thread takes turns. */
    public static boolean isPlaying() {
        return SELF.get() != null;
    }

    static void await(Host host, CompletableFuture<?> future) {
        if (!future.isDone()) {
            SELF.get().rest(new Move(host.name(), Move.AWAIT, ""), Instant.MIN, future::isDone);
        }
    }

    /** Somebody else lets the time pass, such as the one who is waited for. */
    void await(Host host, CompletableFuture<?> future, Duration most) {
        if (!future.isDone()) {
            Instant end = clock.instant().plus(most);
            SELF.get()
                    .rest(
                            new Move(host.name(), Move.AWAIT, ""),
                            Instant.MIN,
                            () -> future.isDone() || !clock.instant().isBefore(end));
        }
    }

    private void give(Player next) {
        holder = next;
        next.takeTurn();
    }

    /** Ends the run, which has failed, however the calling thread goes on. */
    public void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Who goes on; there is somebody. Those that have to end do so before anybody else moves. */
    private Player choose(Player last) {
        Optional<Player> doomed =
                players.stream()
                        .filter(Player::isDoomed)
                        .min(Comparator.comparing(player -> !player.condition.getAsBoolean()));
        if (doomed.isPresent()) {
            return doomed.get();
        }
        if (moves.incrementAndGet() > movesMax) {
            fail(new AssertionError("no end after " + movesMax + " moves"));
            return players.get(0);
        }
        List<Player> ready = ready();
        if (ready.isEmpty()) {
            fail(new AssertionError("nobody can go on: " + players));
            return players.get(0);
        }
        int chosen =
                choice.ofMoves(
                        ready.stream().map(player -> player.next).toList(), ready.indexOf(last));
        if (chosen < 0) {
            fail(new Pruned());
            return players.get(0);
        }
        return ready.get(chosen);
    }

    private List<Player> ready() {
        List<Player> able = players.stream().filter(p -> p.condition.getAsBoolean()).toList();
        able.stream()
                .map(Player::earliest)
                .min(Comparator.naturalOrder())
                .filter(clock.instant()::isBefore)
                .ifPresent(first -> clock.move(Duration.between(clock.instant(), first)));
        return able.stream().filter(p -> !p.earliest().isAfter(clock.instant())).toList();
    }

    private final class Player implements Runnable {
        private final Host host;
        private final Runnable task;
        private final Semaphore turn = new Semaphore(0);
        private volatile Thread thread;
        private boolean begun;
        private Move next;
        private Instant notBefore = Instant.MIN;
        private BooleanSupplier condition = () -> true;

        Player(Host host, Runnable task) {
            this.host = host;
            this.task = task;
            this.next = new Move(host.name(), Move.BEGIN, "");
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            SELF.set(this);
            try {
                if (!isDoomed()) {
                    trace.add(next.toString());
                    task.run();
                }
            } catch (RuntimeException | Error e) {
                // What becomes of a thread on its way out is nobody's business.
                if (!isDoomed()) {
                    fail(e);
                }
            }
            SELF.remove();
            players.remove(this);
            if (players.isEmpty()) {
                over.release();
            } else {
                give(choose(this));
            }
        }

        /** Lets it go on; with its first turn it gets its thread. */
        void takeTurn() {
            if (begun) {
                turn.release();
            } else {
                begun = true;
                THREADS.execute(this);
            }
        }

        boolean isDoomed() {
            return failure != null || !host.isAlive();
        }

        Instant earliest() {
            return notBefore.isAfter(host.frozenUntil()) ? notBefore : host.frozenUntil();
        }

        /** Returns when it is our turn to make this move. */
        void rest(Move move, Instant earliest, BooleanSupplier holds) {
            next = move;
            notBefore = earliest;
            condition = holds;
            Player chosen = isDoomed() && holds.getAsBoolean() ? this : choose(this);
            if (chosen != this) {
                give(chosen);
                turn.acquireUninterruptibly();
            }
            boolean held = holds.getAsBoolean();
            condition = () -> true;
            // One that only waited for another may go its way, to give back what it holds.
            if (isDoomed() && !(held && move.verb().equals(Move.AWAIT))) {
                throw new Killed();
            }
            if (!isDoomed()) {
                trace.add(move.toString());
            }
        }

        void meetFate() {
            fate.accept(host);
            if (isDoomed()) {
                throw new Killed();
            }
            if (host.frozenUntil().isAfter(clock.instant())) {
                note("frozen");
                rest(next, Instant.MIN, () -> true);
            }
        }

        String stack() {
            return String.join(
                    "\n  ", Arrays.stream(thread.getStackTrace()).map(Object::toString).toList());
        }

        @Override
        public String toString() {
            return next.toString();
        }
    }
}
