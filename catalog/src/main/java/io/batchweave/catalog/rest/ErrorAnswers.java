package io.batchweave.catalog.rest;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.rest.responses.ErrorResponse;

/** How the protocol tells what went wrong. */
final class ErrorAnswers {
    private static final int INTERNAL = 500;

    /** The first that fits counts: subclasses come first. */
    private static final Map<Class<? extends Exception>, Integer> STATUS = new LinkedHashMap<>();

    static {
        STATUS.put(NoSuchNamespaceException.class, 404);
        STATUS.put(NoSuchTableException.class, 404);
        STATUS.put(NoSuchViewException.class, 404);
        STATUS.put(NotFoundException.class, 404);
        STATUS.put(NamespaceNotEmptyException.class, 409);
        STATUS.put(AlreadyExistsException.class, 409);
        STATUS.put(CommitFailedException.class, 409);
        STATUS.put(CommitStateUnknownException.class, INTERNAL);
        STATUS.put(UnprocessableEntityException.class, 422);
        STATUS.put(NotAuthorizedException.class, 401);
        STATUS.put(ForbiddenException.class, 403);
        STATUS.put(BadRequestException.class, 400);
        STATUS.put(ValidationException.class, 400);
        STATUS.put(InvalidRequestException.class, 400);
        STATUS.put(IllegalArgumentException.class, 400);
        STATUS.put(UnsupportedOperationException.class, 406);
        STATUS.put(UnavailableException.class, 503);
        STATUS.put(CorruptException.class, INTERNAL);
    }

    private ErrorAnswers() {}

    static ErrorResponse of(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return answer(refusal.status(), refusal.type(), refusal.getMessage());
        }
        int status =
                STATUS.entrySet().stream()
                        .filter(known -> known.getKey().isInstance(failure))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(INTERNAL);
        String type = status == 400 ? "BadRequestException" : failure.getClass().getSimpleName();
        return answer(status, type, Optional.ofNullable(failure.getMessage()).orElse("no message"));
    }

    static ErrorResponse answer(int status, String type, String message) {
        return ErrorResponse.builder()
                .responseCode(status)
                .withType(type)
                .withMessage(message)
                .build();
    }
}
