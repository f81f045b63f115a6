package io.batchweave.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.files.ObjectChannel.Window;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Creation;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.Requests;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a channel reads of an object, and in how many requests. */
class ObjectChannelTest {
    private static final String KEY = "data/object";
    private static final int MIN = ObjectChannel.AHEAD_BYTES_MIN;

    private final CountingStore store = new CountingStore(new MemoryStore(World.real()));

    @Test
    void anyBytesAreReadFromAnywhere() throws IOException {
        byte[] bytes = create(3 * MIN + 17);
        Random random = new Random(42);
        try (ObjectChannel channel = open(bytes)) {
            for (int times = 0; times < 2_000; times++) {
                if (random.nextInt(3) > 0) {
                    channel.position(random.nextInt(bytes.length + 10));
                }
                int length = random.nextInt(random.nextBoolean() ? 100 : 2 * MIN);
                ByteBuffer target =
                        random.nextBoolean()
                                ? ByteBuffer.allocate(length + 3).position(3)
                                : ByteBuffer.allocateDirect(length);
                int at = target.position();
                int start = (int) channel.position();

                int read = channel.read(target);

                if (start >= bytes.length) {
                    assertThat(read).isEqualTo(-1);
                    continue;
                }
                assertThat(read > 0).isEqualTo(length > 0);
                assertThat(channel.position()).isEqualTo(start + read);
                assertThat(target.position()).isEqualTo(at + read);
                assertThat(content(target.flip().position(at)))
                        .isEqualTo(Arrays.copyOfRange(bytes, start, start + read));
            }
        }
    }

    @Test
    void aSmallObjectIsOneRequestFromWhereverItIsRead() throws IOException {
        byte[] bytes = create(MIN);
        try (ObjectChannel channel = open(bytes)) {
            for (int at : List.of(MIN - 8, 0, 100, MIN - 100, 4)) {
                channel.position(at).read(ByteBuffer.allocate(8));
            }
        }

        assertThat(store.requests().reads()).isEqualTo(1);
        assertThat(store.requests().bytesDown()).isEqualTo(MIN);
    }

    /** As readers of Parquet and Arrow do: the length of the footer, then the footer before it. */
    @Test
    void theFooterIsReadWithItsLength() throws IOException {
        byte[] bytes = create(10 * MIN);
        try (ObjectChannel channel = open(bytes)) {
            channel.position(bytes.length - 8).read(ByteBuffer.allocate(8));
            channel.position(bytes.length - 5_000).read(ByteBuffer.allocate(4_992));
        }

        assertThat(store.requests().reads()).isEqualTo(1);
        assertThat(store.requests().bytesDown()).isEqualTo(MIN);
    }

    @Test
    void aScanFetchesEveryByteOnceInFewRequests() throws IOException {
        byte[] bytes = create(40 << 20);
        try (ObjectChannel channel = open(bytes)) {
            ByteBuffer piece = ByteBuffer.allocate(8_192);
            while (channel.read(piece.clear()) >= 0) {
                // To the end.
            }
        }

        // 64 KiB, twice as much each time up to 8 MiB, and then that.
        assertThat(store.requests().reads()).isEqualTo(8 + 3 + 1);
        assertThat(store.requests().bytesDown()).isEqualTo(bytes.length);
    }

    @Test
    void aLongReadIsOneRequestOfJustItsBytes() throws IOException {
        byte[] bytes = create(4 << 20);
        try (ObjectChannel channel = open(bytes)) {
            ByteBuffer chunk = ByteBuffer.allocate(1 << 20);

            assertThat(channel.position(12_345).read(chunk)).isEqualTo(1 << 20);

            assertThat(chunk.array())
                    .isEqualTo(Arrays.copyOfRange(bytes, 12_345, 12_345 + (1 << 20)));
        }
        assertThat(store.requests().reads()).isEqualTo(1);
        assertThat(store.requests().bytesDown()).isEqualTo(1 << 20);
    }

    @Test
    void aJumpReadsLittleAheadHoweverLongTheScanBefore() throws IOException {
        byte[] bytes = create(4 << 20);
        try (ObjectChannel channel = open(bytes)) {
            while (channel.position() < bytes.length / 2) {
                channel.read(ByteBuffer.allocate(8_192));
            }
            Requests before = store.requests();

            channel.position(7).read(ByteBuffer.allocate(9));

            assertThat(store.requests().minus(before).bytesDown()).isEqualTo(MIN);
        }
    }

    @Test
    void anObjectThatChangesIsRefused() throws IOException {
        byte[] bytes = create(3 * MIN);
        try (ObjectChannel channel = open(bytes)) {
            channel.read(ByteBuffer.allocate(10));
            store.delete(List.of(KEY));
            assertRefused(channel.position(2 * MIN), "it is no longer there");

            create(10);
            assertRefused(channel, "it no longer has its " + 3 * MIN + " bytes");

            store.delete(List.of(KEY));
            create(3 * MIN);
            ByteBuffer target = ByteBuffer.allocate(10);
            channel.read(target);
            assertThat(target.array()).isEqualTo(Arrays.copyOfRange(bytes, 2 * MIN, 2 * MIN + 10));
        }
    }

    @Test
    void nothingIsWrittenAndNothingIsReadOnceClosed() throws IOException {
        ObjectChannel channel = open(create(10));
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
                .isInstanceOf(NonWritableChannelException.class);
        assertThatThrownBy(() -> channel.truncate(0))
                .isInstanceOf(NonWritableChannelException.class);
        assertThatThrownBy(() -> channel.position(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(channel.isOpen()).isTrue();

        channel.close();

        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
                .isInstanceOf(ClosedChannelException.class);
    }

    private static void assertRefused(SeekableByteChannel channel, String why) {
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot read memory:///data/object: " + why + "; inputs");
    }

    private ObjectChannel open(byte[] bytes) {
        return new ObjectChannel(store, KEY, bytes.length, Window.NOTHING);
    }

    private byte[] create(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        assertThat(store.create(KEY, ByteBuffer.wrap(bytes))).isInstanceOf(Creation.Done.class);
        return bytes;
    }

    private static byte[] content(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
