package io.batchweave.store.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tells what was done to the disk, in order, and lets it fail where a test says so. */
final class WatchedDisk extends Disk {
    private final Path root;
    private final List<String> done = new ArrayList<>();
    Step beforeFileSync = file -> {};
    Step beforeFolderSync = folder -> {};
    Step beforeLink = name -> {};
    Step beforeTry = name -> {};
    Step afterLink = name -> {};

    /** Something that happens at a call; the call fails if it does. */
    interface Step {
        void at(Path path) throws IOException;
    }

    WatchedDisk(Path root) {
        this.root = root;
    }

    /** What was done since this was asked last. */
    List<String> done() {
        List<String> done = List.copyOf(this.done);
        this.done.clear();
        return done;
    }

    @Override
    void syncFile(FileChannel file) throws IOException {
        beforeFileSync.at(root);
        super.syncFile(file);
        done.add("sync file");
    }

    @Override
    void syncFolder(Path folder) throws IOException {
        beforeFolderSync.at(folder);
        super.syncFolder(folder);
        done.add("sync /" + root.relativize(folder));
    }

    @Override
    void link(Path file, Path name) throws IOException {
        beforeLink.at(name);
        super.link(file, name);
        done.add("link " + root.relativize(name));
        afterLink.at(name);
    }

    @Override
    void tryToLink(Path file, Path name) throws IOException {
        beforeTry.at(name);
        super.tryToLink(file, name);
    }
}
