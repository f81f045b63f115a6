package io.batchweave.sidecar.arena;

import io.batchweave.model.Slice;

/**
 * A slice in the arena.
 *
 * @param index its number in the grid
 * @param slice where it was read
 * @param path of the file that holds it
 * @param offset where it begins there, a multiple of 64
 */
public record Placed(int index, Slice slice, String path, long offset) {}
