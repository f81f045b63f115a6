/**
 * The order in which the rows of many inputs are given out: arithmetic only, no input is read here.
 *
 * <p><b>The order, exactly</b>, so that another program can repeat it. All numbers are 64 bits wide
 * and wrap; {@code mod} and {@code >>>} take them as unsigned.
 *
 * <pre>
 * next(state):   state += 0x9E3779B97F4A7C15                        (SplitMix64)
 *                z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9
 *                z = (z ^ z >>> 27) * 0x94D049BB133111EB
 *                return z ^ z >>> 31
 * begin(keys):   state = 0; for each key: state ^= key; state = next(state)
 * permute(keys): begin(keys); a = 0, 1, .. n - 1
 *                for i = n - 1 down to 1: swap a[i] with a[next(state) mod (i + 1)]
 * </pre>
 *
 * <ol>
 *   <li>Inputs lie in the order of their names' UTF-8 bytes; equal names in that of their digests.
 *       An input is one or more <i>stretches</i>: the row groups of Parquet, the record batches of
 *       Arrow, every 1,024 rows of uncompressed JSON lines; anything else is one stretch.
 *   <li>{@code windows = parts * ceil(rows / (window * parts))}, with the rows of all inputs.
 *       Window k has the rows from {@code k * q + min(k, r)} of the epoch's order, with {@code q}
 *       and {@code r} the quotient and remainder of rows by windows.
 *   <li>When shuffled, each stretch of n rows is cut into {@code c = min(8, ceil(8 * n / W))}
 *       blocks with {@code W = ceil(rows / windows)}, block j from row {@code j * (n div c) +
 *       min(j, n mod c)}; {@code permute(seed, epoch)} orders all blocks of all inputs, and {@code
 *       permute(seed, epoch, k)} the rows of window k. Blocks without rows are left out; epochs and
 *       windows count from 0.
 *   <li>Part i of n gives out, epoch after epoch, the windows k with {@code k mod n = i - 1}.
 * </ol>
 *
 * <p><b>Quality.</b> Where a block lands in an epoch is uniform, and so is a row's place in its
 * window; only rows of one block stay within a window (or two, if the block straddles their
 * border). A window mixes 8 or more places, as many as its size in stretches. A stretch larger than
 * a window, such as a compressed file, has 8 blocks and no more, since each is found by decoding
 * what lies before it: rows of such a block are mixed only among those of their window.
 *
 * <p><b>Memory.</b> One window, and some 150 bytes for each block.
 *
 * <p><b>Considered and left.</b> A permutation of single rows by a cipher mixes best, but reads
 * every row group once for each of its rows. A shuffle buffer over files in random order streams
 * well, but its state is the buffer: a restart has to keep it or replay what filled it, and parts
 * could share files only whole. Windows over permuted blocks cost one window of memory, go on from
 * three numbers, and are dealt to parts evenly, however large the files are.
 */
package io.batchweave.cli.order;
