package io.batchweave.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Memory for steps, one block a step, used again once nobody holds it: a page that is touched for
 * the first time costs about as much as the bytes that are read into it. Thread-safe.
 *
 * <p>Blocks are counted by the allocator while they are out, whoever holds them and in whichever
 * allocator; the spare ones are not.
 */
final class StepMemory implements AutoCloseable {
    /** Where Arrow wants its buffers. */
    private static final int ALIGNMENT_BYTES = 64;

    /** Sizes are multiples of a sixteenth to an eighth of themselves, so that steps share them. */
    private static final int SIZES_PER_DOUBLING = 8;

    private final BufferAllocator allocator;
    private final long spareBytesMax;
    private final Deque<Block> spares = new ArrayDeque<>();
    private long spareBytes;
    private boolean isClosed;

    /**
     * @param spareBytesMax of blocks that are kept for later steps; the latest is always kept
     */
    StepMemory(BufferAllocator allocator, long spareBytesMax) {
        this.allocator = allocator;
        this.spareBytesMax = spareBytesMax;
    }

    /** Rounds up to where the next buffer may lie. */
    static long aligned(long bytes) {
        return roundedUp(bytes, ALIGNMENT_BYTES);
    }

    /** The memory that {@link #take} takes for this many bytes. */
    static long blockBytes(long bytes) {
        long unit = Math.max(Long.highestOneBit(bytes) / SIZES_PER_DOUBLING, ALIGNMENT_BYTES);
        return roundedUp(bytes, unit);
    }

    private static long roundedUp(long bytes, long unit) {
        return (bytes + unit - 1) / unit * unit;
    }

    /**
     * A buffer of this many bytes or more, with whatever is in it, aligned to 64 bytes; the caller
     * releases it.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException if the allocator's limit is reached
     */
    ArrowBuf take(long bytes) {
        Block block = blockOf(blockBytes(bytes));
        try {
            return allocator.wrapForeignAllocation(block);
        } catch (RuntimeException | Error e) {
            // The allocator may have given it back, or not: that depends on how far it came.
            giveBack(block);
            throw e;
        }
    }

    /** The latest spare block of a size, which caches may still hold, or a new one. */
    private synchronized Block blockOf(long bytes) {
        for (Iterator<Block> each = spares.iterator(); each.hasNext(); ) {
            Block spare = each.next();
            if (spare.getSize() == bytes) {
                each.remove();
                spareBytes -= bytes;
                spare.isOut = true;
                return spare;
            }
        }
        Block fresh = new Block(MemoryUtil.allocateMemory(bytes + ALIGNMENT_BYTES), bytes);
        fresh.isOut = true;
        return fresh;
    }

    synchronized long spareBytes() {
        return spareBytes;
    }

    private synchronized void giveBack(Block block) {
        if (!block.isOut) {
            return;
        }
        block.isOut = false;
        if (isClosed) {
            block.free();
            return;
        }
        spares.push(block);
        spareBytes += block.getSize();
        while (spareBytes > spareBytesMax && spares.size() > 1) {
            dropOldest();
        }
    }

    private void dropOldest() {
        Block oldest = spares.removeLast();
        spareBytes -= oldest.getSize();
        oldest.free();
    }

    /** Frees the spare blocks at once, and the others when they are given back. */
    @Override
    public synchronized void close() {
        isClosed = true;
        while (!spares.isEmpty()) {
            dropOldest();
        }
    }

    /** Memory of its own, of which an aligned part is used. */
    private final class Block extends ForeignAllocation {
        private final long allocated;
        private boolean isOut;

        Block(long allocated, long bytes) {
            super(bytes, aligned(allocated));
            this.allocated = allocated;
        }

        @Override
        protected void release0() {
            giveBack(this);
        }

        void free() {
            MemoryUtil.freeMemory(allocated);
        }
    }
}
