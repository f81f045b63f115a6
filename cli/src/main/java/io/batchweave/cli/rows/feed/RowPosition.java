package io.batchweave.cli.rows.feed;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A place between two rows of the inputs; in JSON its fields tell which of the two it is. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(StreamPosition.class), @JsonSubTypes.Type(WindowPosition.class)})
public sealed interface RowPosition permits StreamPosition, WindowPosition {
    /** Where it is, for people. */
    String describe();
}
