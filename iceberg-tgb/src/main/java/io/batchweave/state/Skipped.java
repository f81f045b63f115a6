package io.batchweave.state;

import io.batchweave.model.StepRange;
import java.time.Instant;

/** Steps that sessions pass over, why, and since when. */
public record Skipped(StepRange steps, String reason, Instant at) {}
