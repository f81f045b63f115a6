package io.batchweave.catalog;

import io.batchweave.catalog.files.ObjectStoreFileIO;
import java.util.stream.StreamSupport;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsBulkOperations;

/**
 * The files of one table as a purge may delete them: none outside of its folder, whatever its
 * metadata names, and none of its versions, which go in an order of their own.
 *
 * @param folder of the table
 */
record TableFiles(ObjectStoreFileIO all, String folder) implements SupportsBulkOperations {
    @Override
    public InputFile newInputFile(String file) {
        return all.newInputFile(file);
    }

    @Override
    public InputFile newInputFile(String file, long length) {
        return all.newInputFile(file, length);
    }

    @Override
    public OutputFile newOutputFile(String file) {
        return all.newOutputFile(file);
    }

    @Override
    public void deleteFile(String file) {
        if (isOurs(file)) {
            all.deleteFile(file);
        }
    }

    @Override
    public void deleteFiles(Iterable<String> files) {
        all.deleteFiles(
                StreamSupport.stream(files.spliterator(), false).filter(this::isOurs).toList());
    }

    private boolean isOurs(String file) {
        return all.isIn(folder, file)
                && !file.endsWith(".metadata.json")
                && !file.endsWith(".metadata.json.dropped");
    }
}
