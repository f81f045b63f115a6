package io.batchweave.catalog.rest;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTRequest;
import org.apache.iceberg.rest.RESTSerializers;
import org.apache.iceberg.rest.RESTUtil;

/**
 * One request that has found its route.
 *
 * @param names what stands in the path where the route has names
 * @param query parameters behind the path
 * @param body empty if there is none
 */
record Call(Map<String, String> names, Map<String, String> query, String body) {
    static final String NAMESPACE = "{namespace}";
    static final String TABLE = "{table}";
    private static final String SEPARATOR = "%1F";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final ObjectMapper JSON = mapper();

    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper();
        mapper.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
        mapper.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
        mapper.setPropertyNamingStrategy(new PropertyNamingStrategies.KebabCaseStrategy());
        RESTSerializers.registerAll(mapper);
        return mapper;
    }

    static String toJson(Object answer) {
        try {
            return JSON.writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write an answer: " + e.getMessage(), e);
        }
    }

    Namespace namespace() {
        Namespace namespace = RESTUtil.decodeNamespace(names.get(NAMESPACE), SEPARATOR);
        for (String level : namespace.levels()) {
            demandName(level);
        }
        return namespace;
    }

    TableIdentifier table() {
        return TableIdentifier.of(namespace(), demandName(RESTUtil.decodeString(names.get(TABLE))));
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).filter(value -> !value.isEmpty());
    }

    /** A parameter that is a whole number, and not below a least one. */
    Optional<String> number(String name, int least) {
        Optional<String> value = parameter(name);
        if (value.isPresent()
                && !(NUMBER.matcher(value.get()).matches()
                        && Integer.parseInt(value.get()) >= least)) {
            throw Refusal.badRequest(
                    "Cannot take the parameter %s: it must be a whole number, from %d on"
                            .formatted(name, least));
        }
        return value;
    }

    /** The body, as what the route takes. */
    <T extends RESTRequest> T request(Class<T> type) {
        try {
            T request = JSON.readValue(body, type);
            if (request == null) {
                throw Refusal.badRequest("Cannot read the request: it is null");
            }
            request.validate();
            return request;
        } catch (JsonProcessingException e) {
            throw Refusal.badRequest("Cannot read the request: " + e.getOriginalMessage());
        } catch (NullPointerException | IllegalStateException | IllegalArgumentException e) {
            throw Refusal.badRequest("Cannot read the request: " + e.getMessage());
        }
    }

    /** Whatever a catalog makes of names, none of them may lead out of its folders. */
    static String demandName(String name) {
        boolean leadsAway =
                name.isEmpty()
                        || name.equals(".")
                        || name.equals("..")
                        || name.chars().anyMatch(c -> c < ' ' || c == '/' || c == '\\' || c == 127);
        if (leadsAway) {
            throw Refusal.badRequest(
                    "Cannot use a name with slashes, dots alone or control characters");
        }
        return name;
    }
}
