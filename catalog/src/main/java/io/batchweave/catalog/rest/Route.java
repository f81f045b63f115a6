package io.batchweave.catalog.rest;

import io.batchweave.catalog.rest.RestSettings.Access;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.rest.Endpoint;

/**
 * What is done on requests of one kind.
 *
 * @param endpoint as clients are told of it
 * @param needs what a client must be allowed
 * @param action makes the answer, if there is one to be sent
 */
record Route(Endpoint endpoint, Access needs, Function<Call, Optional<Object>> action) {
    /** Reading. */
    static Route read(Endpoint endpoint, Function<Call, Object> action) {
        return new Route(endpoint, Access.READ_ONLY, call -> Optional.of(action.apply(call)));
    }

    /** Looking whether something is there: there is no answer but that it went well. */
    static Route look(Endpoint endpoint, Function<Call, Optional<Object>> action) {
        return new Route(endpoint, Access.READ_ONLY, action);
    }

    /** Changing something. */
    static Route write(Endpoint endpoint, Function<Call, Object> action) {
        return new Route(endpoint, Access.READ_AND_WRITE, call -> Optional.of(action.apply(call)));
    }

    /** Changing something, of which there is nothing to tell. */
    static Route change(Endpoint endpoint, Function<Call, Optional<Object>> action) {
        return new Route(endpoint, Access.READ_AND_WRITE, action);
    }

    /**
     * The names in a path, if it is one of this route.
     *
     * @param parts of the path, as they were sent
     */
    Optional<Map<String, String>> names(String method, List<String> parts) {
        List<String> pattern =
                List.of(endpoint.path().replace("/{prefix}", "").substring(1).split("/", -1));
        if (!endpoint.httpMethod().equals(method) || pattern.size() != parts.size()) {
            return Optional.empty();
        }
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            if (pattern.get(i).startsWith("{")) {
                names.put(pattern.get(i), parts.get(i));
            } else if (!pattern.get(i).equals(parts.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(names);
    }
}
