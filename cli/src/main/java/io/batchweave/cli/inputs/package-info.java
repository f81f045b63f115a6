/**
 * The files of an ingest: finding them, naming them, telling one from another, and remembering
 * which of their rows were given out.
 *
 * <p>Progress names an input by its path below the argument that named it: {@code data/a.txt} is
 * {@code a.txt}, and so is {@code a.txt} below the folder {@code data} or found by {@code
 * 'data/*.txt'}. So an ingest can go on from another working folder.
 */
package io.batchweave.cli.inputs;
