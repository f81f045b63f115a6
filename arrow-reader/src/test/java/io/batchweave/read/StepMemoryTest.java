package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which memory is used again, and when. */
class StepMemoryTest {
    private final BufferAllocator allocator = new RootAllocator(1 << 20);
    private final StepMemory memory = new StepMemory(allocator, 8_192);

    @AfterEach
    void everythingIsFreed() {
        memory.close();
        allocator.close();
    }

    @Test
    void whatWasGivenBackIsUsedAgain() {
        long first = addressOfOneGivenBack(4_000);
        assertThat(allocator.getAllocatedMemory()).as("spare blocks are not counted").isZero();

        assertThat(addressOfOneGivenBack(3_900)).isEqualTo(first);
    }

    @Test
    void whatSomeoneHoldsIsNotUsedAgain() {
        ArrowBuf first = memory.take(4_000);
        ArrowBuf held = first.slice(64, 128);
        held.getReferenceManager().retain();
        held.setLong(0, 42);
        first.close();

        try (ArrowBuf second = memory.take(4_000)) {
            second.setZero(0, second.capacity());
            assertThat(held.getLong(0)).isEqualTo(42);
        }
        held.close();
    }

    @Test
    void whatAnotherAllocatorHoldsIsNotUsedAgain() {
        try (BufferAllocator other = allocator.newChildAllocator("other", 0, 1 << 20)) {
            ArrowBuf first = memory.take(4_000);
            ArrowBuf held =
                    first.getReferenceManager()
                            .transferOwnership(first, other)
                            .getTransferredBuffer();
            long address = first.memoryAddress();
            first.close();

            assertThat(addressOfOneGivenBack(4_000)).isNotEqualTo(address);
            held.close();
        }
    }

    @Test
    void stepsOfOtherSizesGetMemoryOfTheirOwn() {
        addressOfOneGivenBack(1_000);
        try (ArrowBuf large = memory.take(2_000)) {
            assertThat(large.capacity()).isGreaterThanOrEqualTo(2_000);
            assertThat(memory.spareBytes()).isEqualTo(StepMemory.blockBytes(1_000));
        }
    }

    @Test
    void spareBlocksStayWithinTheirBytesAndTheOldestGoFirst() {
        List<ArrowBuf> blocks = Stream.of(1_000, 2_000, 3_000, 4_000).map(memory::take).toList();
        blocks.forEach(ArrowBuf::close);
        assertThat(memory.spareBytes())
                .isEqualTo(StepMemory.blockBytes(3_000) + StepMemory.blockBytes(4_000));
    }

    @Test
    void theLatestBlockIsKeptHoweverLarge() {
        addressOfOneGivenBack(1_000);
        addressOfOneGivenBack(100_000);
        assertThat(memory.spareBytes()).isEqualTo(StepMemory.blockBytes(100_000));
    }

    @Test
    void nothingIsKeptOnceClosed() {
        ArrowBuf late = memory.take(1_000);
        addressOfOneGivenBack(1_000);
        memory.close();
        assertThat(memory.spareBytes()).isZero();
        late.close();
        assertThat(memory.spareBytes()).isZero();
    }

    @Property
    void blocksAreLittleLargerThanWhatIsAskedFor(
            @ForAll @LongRange(min = 1, max = 1L << 40) long bytes) {
        assertThat(StepMemory.blockBytes(bytes))
                .isBetween(bytes, bytes + Math.max(64, bytes / 8))
                .isEqualTo(StepMemory.blockBytes(StepMemory.blockBytes(bytes)));
    }

    @Test
    void everyBlockIsAligned() {
        for (int bytes = 1; bytes < 2_000; bytes += 13) {
            try (ArrowBuf block = memory.take(bytes)) {
                assertThat(block.memoryAddress() % 64).isZero();
            }
        }
    }

    @Test
    void tooLittleMemoryIsAnError() {
        assertThatExceptionOfType(OutOfMemoryException.class)
                .isThrownBy(() -> memory.take(2 << 20));
        assertThat(allocator.getAllocatedMemory()).isZero();
    }

    @Test
    void whatAnAllocatorThatFailsGaveBackIsGivenBackOnce() {
        AllocationListener failing =
                new AllocationListener() {
                    @Override
                    public void onAllocation(long size) {
                        throw new IllegalStateException("planned");
                    }
                };
        try (BufferAllocator refusing = new RootAllocator(failing, 1 << 20);
                StepMemory own = new StepMemory(refusing, 8_192)) {
            for (int i = 0; i < 3; i++) {
                assertThatIllegalStateException().isThrownBy(() -> own.take(1_000));
                assertThat(own.spareBytes()).isEqualTo(StepMemory.blockBytes(1_000));
            }
        }
    }

    private long addressOfOneGivenBack(long bytes) {
        try (ArrowBuf block = memory.take(bytes)) {
            return block.memoryAddress();
        }
    }
}
