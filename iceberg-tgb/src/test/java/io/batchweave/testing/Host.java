package io.batchweave.testing;

import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.Pause;
import io.batchweave.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** A process of {@link Turns}: its threads live, freeze and die together. */
public final class Host {
    private final Turns turns;
    private final String name;
    private boolean dead;
    private Instant frozenUntil = Instant.MIN;

    Host(Turns turns, String name) {
        this.turns = turns;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Starts a thread. */
    public void start(Runnable task) {
        turns.start(this, task);
    }

    /** Lets a request that is under way arrive at some time; for a host that is the network. */
    public void carry(Call call, Runnable request) {
        start(
                () -> {
                    turns.move(this, Move.arrival(call.kind()), call.key());
                    request.run();
                });
    }

    /** Runs each task in a thread of its own, as does the largest of pools. */
    public Executor executor() {
        return this::start;
    }

    /** Its way to a store: every call is a move. */
    public ObjectStore at(ObjectStore store) {
        return new TurnStore(turns, this, store);
    }

    /**
     * The world as it sees it.
     *
     * @param ahead how far its clock is ahead of the others'
     */
    public World world(RandomGenerator random, Duration ahead) {
        Pause pause =
                new Pause() {
                    @Override
                    public void pause(Duration duration) {
                        turns.pause(Host.this, duration);
                    }

                    @Override
                    public void await(CompletableFuture<?> future) throws InterruptedException {
                        if (Turns.isPlaying()) {
                            Turns.await(Host.this, future);
                        } else {
                            Pause.super.await(future);
                        }
                    }

                    @Override
                    public boolean await(CompletableFuture<?> future, Duration most)
                            throws InterruptedException {
                        if (!Turns.isPlaying()) {
                            return Pause.super.await(future, most);
                        }
                        turns.await(Host.this, future, most);
                        return future.isDone();
                    }
                };
        return new World(() -> turns.clock().instant().plus(ahead), pause, random);
    }

    /**
     * Ends it at once, as SIGKILL does: no thread of it makes another move. What its threads still
     * do on their way out, nobody can see.
     */
    public void kill() {
        dead = true;
    }

    public boolean isAlive() {
        return !dead;
    }

    /** Stops it for some time, as SIGSTOP does; requests that are under way go on. */
    public void freeze(Duration time) {
        frozenUntil = turns.clock().instant().plus(time);
    }

    Instant frozenUntil() {
        return frozenUntil;
    }

    @Override
    public String toString() {
        return name;
    }
}
