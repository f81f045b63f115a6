package io.batchweave.store.hadoop;

import static org.apache.hadoop.fs.CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A folder of a file system whose rename is atomic and replaces nothing.
 *
 * @param files ours alone; closed with the store
 */
record Space(FileSystem files, Path root, Rename rename) {

    /** Gives a file another name, if nothing has that. */
    @FunctionalInterface
    interface Rename {
        /**
         * Renames it.
         *
         * @throws FileAlreadyExistsException if something has the name
         * @throws FileNotFoundException if the file, or the other name's folder, does not exist
         */
        void now(Path from, Path to) throws IOException;
    }

    /**
     * Finds the folder that a URI names.
     *
     * @throws InvalidRequestException if it names none, or one of another kind of file system
     * @throws UnavailableException if what must be asked for that cannot be reached
     */
    static Space of(URI uri, Configuration settings) {
        if (uri.getRawQuery() != null || uri.getRawFragment() != null || uri.isOpaque()) {
            throw new InvalidRequestException(
                    "Cannot open a store of scheme '%s': its URI is not of the form %s://host/folder"
                            .formatted(uri.getScheme(), uri.getScheme()));
        }
        Path root = new Path(uri.getRawPath().isEmpty() ? uri.resolve("/") : uri);
        try {
            FileSystem files = FileSystem.newInstance(root.toUri(), settings);
            if (files instanceof ViewFileSystem view) {
                try (view) {
                    root = behind(view, view.makeQualified(root));
                }
                if (root.toUri().getScheme().equals(uri.getScheme())) {
                    throw new UnavailableException(
                            "Cannot open %s: its view leads nowhere; mount it, and make the folder behind"
                                    .formatted(uri));
                }
                files = FileSystem.newInstance(root.toUri(), settings);
            }
            return new Space(files, files.makeQualified(root), renameOf(files, root));
        } catch (UnsupportedFileSystemException e) {
            throw withoutConnector(uri, e);
        } catch (IOException e) {
            throw Why.failure("Cannot open " + uri, e);
        } catch (BatchWeaveException e) {
            throw e;
        } catch (RuntimeException e) {
            // What Hadoop makes of a connector that is not there, and of a host that is unknown.
            if (e.getCause() instanceof ClassNotFoundException) {
                throw withoutConnector(uri, e);
            }
            throw Why.failure("Cannot open " + uri, e);
        }
    }

    private static InvalidRequestException withoutConnector(URI uri, Exception cause) {
        return new InvalidRequestException(
                "Cannot open %s: Hadoop has no connector for '%s'; put it on the class path"
                        .formatted(uri, uri.getScheme()),
                cause);
    }

    /**
     * A view is only names. What it leads to does the work, and need not have the last folders yet.
     */
    private static Path behind(ViewFileSystem view, Path folder) throws IOException {
        try {
            return view.resolvePath(folder);
        } catch (FileNotFoundException e) {
            if (folder.isRoot()) {
                throw e;
            }
            return new Path(behind(view, folder.getParent()), folder.getName());
        }
    }

    private static Rename renameOf(FileSystem files, Path root) throws IOException {
        if (files instanceof DistributedFileSystem hdfs) {
            return (from, to) -> hdfs.rename(from, to, Options.Rename.NONE);
        }
        if (files.hasPathCapability(root, ETAGS_PRESERVED_IN_RENAME)) {
            return (from, to) -> renameByAnswer(files, from, to);
        }
        String kind = files.getClass().getSimpleName();
        files.close();
        throw new InvalidRequestException(
                "Cannot open %s: its file system (%s) has no rename that is atomic; use another store"
                        .formatted(root, kind));
    }

    /** This rename answers with true or false; what is at the other name says why. */
    private static void renameByAnswer(FileSystem files, Path from, Path to) throws IOException {
        if (!files.rename(from, to)) {
            files.getFileStatus(to);
            throw new FileAlreadyExistsException(to.toString());
        }
    }
}
