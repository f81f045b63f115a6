package io.batchweave.store.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The calls that durability and atomicity rest on. Tests watch their order and let them fail. */
class Disk {
    /** Returns when all bytes of the file would survive a crash of the machine. */
    void syncFile(FileChannel file) throws IOException {
        file.force(false);
    }

    /** Returns when all names in the folder would survive a crash of the machine. */
    void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Gives a file a second name, atomically; fails if the name exists. */
    void link(Path file, Path name) throws IOException {
        Files.createLink(name, file);
    }

    /** Fails if files cannot have second names here. */
    void tryToLink(Path file, Path name) throws IOException {
        Files.createLink(name, file);
        Files.delete(name);
    }
}
