package io.batchweave.cli.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A place on a disk of this machine. Links are followed, since caches of data sets are of them. */
record LocalFile(Path path) implements Location {
    @Override
    public boolean isFolder() {
        return Files.isDirectory(path);
    }

    @Override
    public boolean isFile() {
        return Files.isRegularFile(path);
    }

    @Override
    public boolean exists() {
        return Files.exists(path);
    }

    @Override
    public List<Location> visibleEntries() {
        List<Location> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
            for (Path entry : stream) {
                if (!entry.getFileName().toString().startsWith(".")) {
                    entries.add(new LocalFile(entry));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw unreadable(e.getCause());
        } catch (IOException e) {
            throw unreadable(e);
        }
        return entries;
    }

    @Override
    public Location below(String name) {
        return new LocalFile(path.resolve(name));
    }

    @Override
    public String name() {
        return path.getFileName().toString();
    }

    @Override
    public String pathBelow(Location folder) {
        Path below = ((LocalFile) folder).path.relativize(path);
        return StreamSupport.stream(below.spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
    }

    @Override
    public String origin() {
        return path.toAbsolutePath().normalize().toString();
    }

    @Override
    public String identity() throws IOException {
        return path.toRealPath().toString();
    }

    @Override
    public long size() throws IOException {
        return Files.size(path);
    }

    @Override
    public String version() throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return now.size() + " " + now.lastModifiedTime() + " " + now.fileKey();
    }

    @Override
    public SeekableByteChannel open() throws IOException {
        return FileChannel.open(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
