package io.batchweave.store.hadoop;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Bounds;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Keys;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.PieceSink;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects as files below a folder of a Hadoop file system, which is made with the first of them.
 *
 * <p>Store time is the world's clock.
 */
public final class HadoopStore implements ObjectStore {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopStore.class);
    private static final int PIECE_BYTES = 128 << 10;

    private final Space space;
    private final World world;
    private final Staging staging;
    private final Set<HadoopUpload> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    HadoopStore(Space space, World world) {
        this.space = space;
        this.world = world;
        this.staging = new Staging(space, world);
    }

    /**
     * Opens the store of a folder; of HDFS, nothing is asked yet.
     *
     * @param uri such as {@code hdfs://namenode:8020/warehouse}
     * @param settings Hadoop's own; a few that have only its defaults are set to other values
     * @throws InvalidRequestException if the URI names no folder, or one of a file system without
     *     an atomic rename
     * @throws UnavailableException if what must be asked cannot be reached
     */
    public static HadoopStore open(URI uri, World world, Configuration settings) {
        return new HadoopStore(Space.of(uri, Settings.completed(settings)), world);
    }

    @Override
    public String uri() {
        return space.root().toString();
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        try (Upload upload = upload(key)) {
            upload.write(body.duplicate());
            return upload.complete();
        }
    }

    @Override
    public Upload upload(String key) {
        Path file = fileOf(key);
        requireOpen("write to");
        try {
            HadoopUpload upload = new HadoopUpload(this, key, file);
            open.add(upload);
            return upload;
        } catch (IOException e) {
            throw cannot("create", key, e);
        }
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        Path file = fileOf(key);
        return fetch(
                key,
                () -> {
                    FileStatus status = space.files().getFileStatus(file);
                    if (!status.isFile()) {
                        throw new FileNotFoundException("Is a folder");
                    }
                    Bounds.checkWhole(uri(), key, status.getLen(), bytesMax);
                    ByteBuffer body = ByteBuffer.allocate((int) status.getLen());
                    try (FSDataInputStream in = space.files().open(file)) {
                        in.readFully(0, body.array());
                    }
                    return body;
                });
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        Path file = fileOf(key);
        Bounds.checkOffset(offset);
        return fetch(
                key,
                () -> {
                    ByteBuffer body = target.slice();
                    if (target.hasRemaining()) {
                        readRange(key, file, offset, target.duplicate());
                    } else {
                        requireBytes(key, file, offset, 0);
                    }
                    target.position(target.limit());
                    return body;
                });
    }

    private void readRange(String key, Path file, long offset, ByteBuffer target)
            throws IOException {
        int length = target.remaining();
        try (FSDataInputStream in = space.files().open(file)) {
            if (in.hasCapability(StreamCapabilities.PREADBYTEBUFFER)) {
                in.readFully(offset, target);
            } else {
                // What it means to seek past the end, each connector says in its own way.
                requireBytes(key, file, offset, length);
                readInPieces(in, offset, target);
            }
        } catch (EOFException e) {
            requireBytes(key, file, offset, length);
            throw e;
        }
    }

    /** Through the heap, for connectors that know no other way. */
    private static void readInPieces(FSDataInputStream in, long offset, ByteBuffer target)
            throws IOException {
        byte[] piece = new byte[Math.min(PIECE_BYTES, target.remaining())];
        in.seek(offset);
        while (target.hasRemaining()) {
            int length = Math.min(piece.length, target.remaining());
            in.readFully(piece, 0, length);
            target.put(piece, 0, length);
        }
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        Path file = fileOf(key);
        Bounds.checkSpan(offset, length);
        return fetch(
                key,
                () -> {
                    requireBytes(key, file, offset, length);
                    if (length > 0) {
                        handOn(file, offset, length, sink);
                    }
                    return ByteBuffer.allocate(0);
                });
    }

    /** One seek and one stream, which goes on elsewhere by itself where a data node is lost. */
    private void handOn(Path file, long offset, long length, PieceSink sink) throws IOException {
        try (FSDataInputStream in = space.files().open(file)) {
            in.seek(offset);
            byte[] piece = new byte[(int) Math.min(PIECE_BYTES, length)];
            for (long left = length; left > 0; ) {
                int bytes = (int) Math.min(piece.length, left);
                in.readFully(piece, 0, bytes);
                left -= bytes;
                sink.take(ByteBuffer.wrap(piece, 0, bytes));
            }
        }
    }

    private void requireBytes(String key, Path file, long offset, long length) throws IOException {
        FileStatus status = space.files().getFileStatus(file);
        if (!status.isFile()) {
            throw new FileNotFoundException("Is a folder");
        }
        Bounds.checkRange(uri(), key, offset, length, status.getLen());
    }

    /** Something that is read from a file. */
    private interface Reading {
        ByteBuffer body() throws IOException;
    }

    private Fetched fetch(String key, Reading reading) {
        requireOpen("read from");
        try {
            return new Fetched.Found(reading.body(), now());
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            return new Fetched.Absent(now());
        } catch (IOException e) {
            throw cannot("read", key, e);
        }
    }

    @Override
    public Listing list(String folder, String after) {
        String prefix = Keys.prefix(Keys.checkFolder(folder));
        Keys.checkFolder(after);
        requireOpen("list");
        Path path = folder.isEmpty() ? space.root() : fileOf(folder);
        List<Listing.Item> items = new ArrayList<>();
        List<String> below = new ArrayList<>();
        List<String> others = new ArrayList<>();
        try {
            RemoteIterator<FileStatus> all = space.files().listStatusIterator(path);
            while (all.hasNext()) {
                FileStatus status = all.next();
                String name = status.getPath().getName();
                String key = prefix + name;
                // Of a file, what is listed is the file itself.
                boolean isIn = path.equals(status.getPath().getParent());
                if (isIn && Keys.isName(name) && key.compareTo(after) > 0) {
                    if (status.isDirectory()) {
                        below.add(name);
                    } else {
                        items.add(new Listing.Item(key, status.getLen()));
                    }
                } else if (isIn && Keys.isOther(name) && key.compareTo(after) > 0) {
                    others.add(status.isDirectory() ? name + "/" : name);
                }
            }
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            // It does not exist, or went while it was listed, when all in it was gone.
            LOG.debug("There is no folder {}", path);
        } catch (IOException e) {
            throw cannot("list", folder, e);
        }
        return new Listing(items, below, others);
    }

    @Override
    public void delete(Collection<String> keys) {
        List<Path> files = keys.stream().map(this::fileOf).toList();
        requireOpen("delete from");
        Set<Path> touched = new LinkedHashSet<>();
        for (Path file : files) {
            try {
                space.files().delete(file, false);
                touched.add(file.getParent());
            } catch (FileNotFoundException | ParentNotDirectoryException e) {
                LOG.debug("There is no {}", file);
            } catch (IOException e) {
                if (!isFullFolder(e)) {
                    throw cannot("delete", file.getName(), e);
                }
            }
        }
        touched.forEach(this::prune);
    }

    /** Removes a folder that holds nothing any more, and so on upwards. */
    private void prune(Path folder) {
        try {
            Path empty = folder;
            while (!empty.equals(space.root()) && space.files().delete(empty, false)) {
                empty = empty.getParent();
            }
        } catch (IOException e) {
            LOG.debug("{} is kept", folder, e);
        }
    }

    /** A folder is no object, so there is nothing to delete. */
    private static boolean isFullFolder(IOException failure) {
        IOException cause =
                failure instanceof RemoteException answer
                        ? answer.unwrapRemoteException(PathIsNotEmptyDirectoryException.class)
                        : failure;
        return cause instanceof PathIsNotEmptyDirectoryException;
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(HadoopUpload::close);
        try {
            space.files().close();
        } catch (IOException e) {
            LOG.debug("{} was not closed in order", uri(), e);
        }
    }

    Space space() {
        return space;
    }

    Staging staging() {
        return staging;
    }

    void over(HadoopUpload upload) {
        open.remove(upload);
    }

    Instant now() {
        return world.clock().instant();
    }

    /** What to throw; an interrupted thread stays so, whatever Hadoop made of its flag. */
    UnavailableException cannot(String verb, String key, IOException cause) {
        if (Why.isInterruption(cause)) {
            Thread.currentThread().interrupt();
        }
        return Why.failure("Cannot %s %s in %s".formatted(verb, key, uri()), cause);
    }

    private Path fileOf(String key) {
        return new Path(space.root(), Keys.check(key));
    }

    private void requireOpen(String verb) {
        if (closed) {
            throw new InvalidRequestException(
                    "Cannot %s %s: the store was closed; open it again".formatted(verb, uri()));
        }
    }
}
