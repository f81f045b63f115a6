package io.batchweave.sidecar;

/**
 * Which sidecar this is.
 *
 * @param version of BatchWeave
 */
public record Identity(String version, long pid) {}
