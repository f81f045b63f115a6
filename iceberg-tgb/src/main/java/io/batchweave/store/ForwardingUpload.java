package io.batchweave.store;

import java.nio.ByteBuffer;

/** An upload that is another one, for those that do something of their own with it. */
public abstract class ForwardingUpload implements Upload {
    private final Upload upload;

    /** Goes on with {@code upload}, which is closed with this. */
    protected ForwardingUpload(Upload upload) {
        this.upload = upload;
    }

    @Override
    public void write(ByteBuffer bytes) {
        upload.write(bytes);
    }

    @Override
    public Creation complete() {
        return upload.complete();
    }

    @Override
    public void close() {
        upload.close();
    }
}
