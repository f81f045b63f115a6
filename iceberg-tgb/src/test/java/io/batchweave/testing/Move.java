package io.batchweave.testing;

import io.batchweave.store.FaultPlan.Kind;
import java.util.Set;

/**
 * What a simulated thread does when it is its turn: it makes one call of a store, or passes the
 * time, and then computes on until its next move.
 *
 * @param host whose thread it is
 * @param verb what it does
 * @param key the object it does it to; empty if there is none
 */
public record Move(String host, String verb, String key) {
    static final String CREATE = "create";
    static final String UPLOAD = "upload";
    static final String WRITE = "write";
    static final String COMPLETE = "complete";
    static final String READ = "read";
    static final String LIST = "list";
    static final String DELETE = "delete";
    static final String BEGIN = "begin";
    static final String PAUSE = "pause";
    static final String AWAIT = "await";

    private static final Set<String> LOCAL = Set.of(BEGIN, UPLOAD, WRITE, PAUSE, AWAIT);

    private static final Set<String> LOOKS = Set.of(READ, LIST);

    /** What a request does that arrives late. */
    static String arrival(Kind kind) {
        return kind == Kind.DELETE ? DELETE : CREATE;
    }

    /** Whether no other host can notice it. */
    public boolean isLocal() {
        return LOCAL.contains(verb);
    }

    /** Whether the order of the two makes no difference to anyone. */
    public boolean commutesWith(Move other) {
        if (host.equals(other.host)) {
            return false;
        }
        if (isLocal() || other.isLocal()) {
            return true;
        }
        if (LOOKS.contains(verb) && LOOKS.contains(other.verb)) {
            return true;
        }
        boolean seesAll = isOfFolders(verb) || isOfFolders(other.verb);
        return !seesAll && !key.equals(other.key);
    }

    private static boolean isOfFolders(String verb) {
        return verb.equals(LIST) || verb.equals(DELETE);
    }

    @Override
    public String toString() {
        return host + " " + verb + (key.isEmpty() ? "" : " " + key);
    }
}
