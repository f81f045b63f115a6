package io.batchweave.store.hadoop;

import io.batchweave.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of files that are not objects yet. */
final class Staging {
    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);

    /** No upload takes as long. One that does fails, and loses nothing that anybody was told of. */
    static final Duration AGE_MAX = Duration.ofDays(1);

    private static final EnumSet<CreateFlag> DURABLE =
            EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK);

    private final FileSystem files;
    private final Path folder;
    private final World world;
    private boolean isReady;

    Staging(Space space, World world) {
        this.files = space.files();
        this.folder = new Path(space.root(), ".uploads");
        this.world = world;
    }

    Path newName() {
        return new Path(folder, world.newId());
    }

    /** Opens a new file for writing; what was written is durable when it has been closed. */
    FSDataOutputStream create(Path file) throws IOException {
        boolean isFirst = makeReady();
        FSDataOutputStream out =
                files.createNonRecursive(
                        file,
                        FsPermission.getFileDefault(),
                        DURABLE,
                        files.getConf().getInt("io.file.buffer.size", 4_096),
                        files.getDefaultReplication(file),
                        files.getDefaultBlockSize(file),
                        null);
        if (isFirst) {
            sweep(file);
        }
        return out;
    }

    private synchronized boolean makeReady() throws IOException {
        if (isReady) {
            return false;
        }
        files.mkdirs(folder);
        isReady = true;
        return true;
    }

    /** Removes what dead writers left behind. How old that is, the store's clock says. */
    private void sweep(Path newest) {
        try {
            long now = files.getFileStatus(newest).getModificationTime();
            RemoteIterator<FileStatus> all = files.listStatusIterator(folder);
            while (all.hasNext()) {
                FileStatus file = all.next();
                if (now - file.getModificationTime() > AGE_MAX.toMillis()) {
                    files.delete(file.getPath(), false);
                }
            }
        } catch (IOException e) {
            LOG.debug("Files in {} stay until the next writer comes", folder, e);
        }
    }
}
