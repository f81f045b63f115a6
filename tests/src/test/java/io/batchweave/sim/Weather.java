package io.batchweave.sim;

import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.testing.Choice;
import io.batchweave.testing.Turns;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What goes wrong with the calls of all hosts. Each kind of call has its own chance to fail, so
 * that every mixture comes up. A read after a create that came out badly often fails too: then it
 * stays unknown what became of it.
 */
final class Weather implements FaultPlan {
    /** Faults come once in so many calls; 0: never. */
    private static final List<Integer> RATES = List.of(0, 40, 10, 4);

    private final Choice choice;
    private final Turns turns;
    private final Map<Kind, Integer> rates = new EnumMap<>(Kind.class);
    private boolean calm;
    private boolean inDoubt;
    private boolean damaged;

    private Weather(Choice choice, Turns turns) {
        this.choice = choice;
        this.turns = turns;
    }

    static Weather stormy(Choice choice, Turns turns) {
        Weather weather = new Weather(choice, turns);
        for (Kind kind : Kind.values()) {
            int rate = RATES.get(choice.of(RATES.size()));
            weather.rates.put(kind, kind == Kind.READ || kind == Kind.LIST ? 5 * rate : rate);
        }
        return weather;
    }

    /** Nothing goes wrong. */
    static Weather calm(Choice choice, Turns turns) {
        Weather weather = new Weather(choice, turns);
        weather.calmDown();
        return weather;
    }

    /** From now on nothing goes wrong. */
    void calmDown() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    /** Whether bytes that were read have been damaged. */
    boolean hasDamaged() {
        return damaged;
    }

    @Override
    public Fault faultOf(Call call) {
        if (calm) {
            return Fault.NONE;
        }
        Kind kind = call.kind();
        int rate = inDoubt && kind == Kind.READ ? 2 : rates.get(kind);
        Fault fault = rate > 0 && choice.of(rate) == 0 ? any(kind.faults()) : Fault.NONE;
        inDoubt = kind == Kind.CREATE && fault != Fault.NONE;
        damaged |= fault == Fault.TRUNCATED || fault == Fault.FLIPPED;
        if (fault != Fault.NONE) {
            turns.note(fault.name());
        }
        return fault;
    }

    private Fault any(List<Fault> faults) {
        return faults.get(choice.of(faults.size()));
    }
}
