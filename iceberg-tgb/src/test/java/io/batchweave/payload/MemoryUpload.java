package io.batchweave.payload;

import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;

/** An object in the making that stays in memory. */
final class MemoryUpload implements Upload {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    @Override
    public void write(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        body.writeBytes(copy);
    }

    @Override
    public Creation complete() {
        return new Creation.Done(Instant.EPOCH);
    }

    @Override
    public void close() {}

    byte[] body() {
        return body.toByteArray();
    }
}
