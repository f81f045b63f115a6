package io.batchweave.store.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a file is.
 *
 * @param isFile and not a folder or something stranger
 * @param names how many names it has
 */
record Status(boolean isFile, int names) {

    /** The status of a file, or of what a symbolic link leads to. */
    static Status of(Path file) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(file, "unix:isRegularFile,nlink");
        return new Status((boolean) attributes.get("isRegularFile"), (int) attributes.get("nlink"));
    }

    /**
     * Whether the file may lose its key if the machine crashes now. (Where somebody else makes hard
     * links, as some backup tools do, this is said of more files than need be; they are read
     * slowly, but rightly.)
     */
    boolean isDoubtful() {
        return names > 1;
    }
}
