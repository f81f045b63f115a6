package io.batchweave.store.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A file system whose rename is atomic, replaces nothing and answers with true or false, as Azure's
 * with a hierarchical namespace does; over local files. It can be told to do worse.
 */
public final class FakeAzure extends RawLocalFileSystem {
    private static final URI HOME = URI.create("abfs://container@account");
    private static final Object SERVER = new Object();
    private static final Set<Rename> RENAMES = ConcurrentHashMap.newKeySet();

    /** What can be wrong with a rename. */
    enum Rename {
        /** It replaces what is there. */
        REPLACES,
        /** It copies and deletes, and says so. */
        COPIES,
        /** It does nothing, and the answer is lost. */
        IS_LOST,
        /** It is done, and the answer is lost. */
        LOSES_ITS_ANSWER
    }

    static void does(Rename... renames) {
        RENAMES.clear();
        RENAMES.addAll(Set.of(renames));
    }

    @Override
    public URI getUri() {
        return HOME;
    }

    @Override
    public String getScheme() {
        return HOME.getScheme();
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) {
        return capability.equals(CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME)
                && !RENAMES.contains(Rename.COPIES);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        if (RENAMES.contains(Rename.IS_LOST)) {
            throw new IOException("https://account/container?sig=secret");
        }
        synchronized (SERVER) {
            boolean isFree = RENAMES.contains(Rename.REPLACES) || !exists(to);
            boolean isDone = isFree && exists(to.getParent()) && super.rename(from, to);
            if (RENAMES.contains(Rename.LOSES_ITS_ANSWER)) {
                throw new IOException("https://account/container?sig=secret");
            }
            return isDone;
        }
    }

    /** Local files would take a process each. */
    @Override
    public void setPermission(Path path, FsPermission permission) {}

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        synchronized (SERVER) {
            FileStatus status;
            try {
                status = getFileStatus(path);
            } catch (FileNotFoundException e) {
                return false;
            }
            if (status.isDirectory() && listStatus(path).length > 0) {
                throw new PathIsNotEmptyDirectoryException(path.toString());
            }
            return super.delete(path, recursive);
        }
    }

    @Override
    public boolean mkdirs(Path folder) throws IOException {
        synchronized (SERVER) {
            return super.mkdirs(folder);
        }
    }
}
