package io.batchweave.payload;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.model.SliceGrid;
import io.batchweave.store.Upload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowBlock;

/**
 * Writes the slices of one part as one Arrow IPC file, straight to the upload.
 *
 * <p>Every slice is written in canonical form: equal content gives equal bytes, however its vectors
 * are laid out. It holds no slice: bytes go from the vectors' memory to the upload, and what it
 * allocates does not grow with them. Used by one thread at a time.
 */
public final class PartWriter {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int MAGIC_PADDED_BYTES = 8;

    private final Upload upload;
    private final PayloadSchema schema;
    private final Gather out = new Gather(this::send);
    private final MessageDigest sha256 = Bytes.sha256();
    private final CRC32C crc32c = new CRC32C();
    private final List<Slice> slices = new ArrayList<>();
    private final List<ArrowBlock> blocks = new ArrayList<>();
    private boolean usable = true;

    /** Starts a part; the upload stays the caller's to complete or to close. */
    public PartWriter(Upload upload, PayloadSchema schema) {
        this.upload = upload;
        this.schema = schema;
        out.put(MAGIC);
        out.padTo(MAGIC_PADDED_BYTES);
        putMessage(Messages.schema(schema.arrow()));
    }

    /**
     * Writes the next slice. Its vectors stay the caller's and may be used again when this returns.
     *
     * @throws InvalidRequestException naming the column, if the slice is not of the schema, misses
     *     a value that is required, or is larger than {@link Slice#LENGTH_MAX}; nothing of it was
     *     written
     * @throws io.batchweave.errors.UnavailableException if the upload cannot take it; the part is
     *     lost
     */
    public void write(VectorSchemaRoot slice) {
        check(
                "write a slice",
                slices.size() < SliceGrid.SLICES_MAX,
                "the part is full; start another");
        List<Content> contents = Content.of(schema, slice);
        List<Piece> buffers =
                contents.stream().flatMap(content -> content.buffers().stream()).toList();
        ByteBuffer metadata = Messages.recordBatch(slice.getRowCount(), contents, buffers);
        long body = Messages.bodyBytes(buffers);
        int prefixed = (int) Messages.aligned(Messages.PREFIX_BYTES + metadata.remaining());
        checkLength(prefixed + body);
        usable = false;
        out.flush();
        crc32c.reset();
        long offset = out.length();
        putMessage(metadata);
        for (Piece buffer : buffers) {
            buffer.writeTo(out);
            out.padTo(Messages.ALIGNMENT);
        }
        out.flush();
        int crc = (int) crc32c.getValue();
        slices.add(new Slice(offset, out.length() - offset, slice.getRowCount(), crc));
        blocks.add(new ArrowBlock(offset, prefixed, body));
        usable = true;
    }

    /** Bytes so far, of what will be the object. */
    public long length() {
        return out.length();
    }

    /**
     * Writes the footer. The object comes into being when the caller completes the upload.
     *
     * @throws InvalidRequestException if no slice was written
     * @throws io.batchweave.errors.UnavailableException if the upload cannot take it; the part is
     *     lost
     */
    public Part finish() {
        check("finish a part", !slices.isEmpty(), "it holds no slice; write one");
        usable = false;
        out.putInt(Messages.CONTINUATION);
        out.putInt(0);
        ByteBuffer footer = Messages.footer(schema.arrow(), blocks);
        int length = footer.remaining();
        out.put(footer, footer.position(), length);
        out.putInt(length);
        out.put(MAGIC);
        out.flush();
        return new Part(out.length(), Bytes.digestOf(sha256), slices);
    }

    /** Pads the metadata, so that what follows the message is aligned. */
    private void putMessage(ByteBuffer metadata) {
        int length = metadata.remaining();
        long metadataOffset = out.length() + Messages.PREFIX_BYTES;
        long end = Messages.aligned(metadataOffset + length);
        out.putInt(Messages.CONTINUATION);
        out.putInt((int) (end - metadataOffset));
        out.put(metadata, metadata.position(), length);
        out.padTo(Messages.ALIGNMENT);
    }

    private void send(ByteBuffer bytes) {
        sha256.update(bytes.duplicate());
        crc32c.update(bytes.duplicate());
        upload.write(bytes);
    }

    private void check(String what, boolean possible, String whyNot) {
        if (!usable) {
            throw new InvalidRequestException(
                    "Cannot "
                            + what
                            + ": the part is finished, or an earlier write of it failed; start"
                            + " another");
        }
        if (!possible) {
            throw new InvalidRequestException("Cannot " + what + ": " + whyNot);
        }
    }

    private static void checkLength(long length) {
        if (length > Slice.LENGTH_MAX) {
            throw new InvalidRequestException(
                    "Cannot write a slice of "
                            + length
                            + " bytes: a slice has at most "
                            + Slice.LENGTH_MAX
                            + "; use a finer grid or fewer rows");
        }
    }
}
