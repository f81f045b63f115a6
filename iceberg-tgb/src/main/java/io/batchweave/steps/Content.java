package io.batchweave.steps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.NestedField;

/**
 * What a table holds in one snapshot, by its manifests.
 *
 * @param snapshotId {@value #NO_SNAPSHOT}: the table has none
 * @param pieces by their lowest keys
 * @param flaw why nothing may be added to it; empty: none
 */
record Content(long snapshotId, List<Piece> pieces, Optional<String> flaw) {
    static final long NO_SNAPSHOT = -1;

    /** That of a new table. */
    static final Content NONE = new Content(NO_SNAPSHOT, List.of(), Optional.empty());

    Content {
        pieces =
                pieces.stream()
                        .sorted(
                                Comparator.comparingLong(Piece::first)
                                        .thenComparingLong(Piece::last))
                        .toList();
    }

    /** Reads the manifests of a snapshot. */
    static Content of(ViewTable kind, Table table, Snapshot snapshot) {
        if (snapshot == null) {
            return NONE;
        }
        NestedField key = table.schema().findField(kind.key());
        List<Piece> pieces = new ArrayList<>();
        Optional<String> flaw = deletes(table, snapshot);
        for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
            try (CloseableIterable<DataFile> files =
                    ManifestFiles.read(manifest, table.io(), table.specs())) {
                for (DataFile file : files) {
                    Optional<Piece> piece = piece(file, key.fieldId());
                    piece.ifPresent(pieces::add);
                    flaw = flaw.or(() -> piece.isPresent() ? Optional.empty() : foreign(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new Content(snapshot.snapshotId(), pieces, flaw);
    }

    private static Optional<String> deletes(Table table, Snapshot snapshot) {
        boolean isAny =
                snapshot.deleteManifests(table.io()).stream()
                        .anyMatch(
                                manifest ->
                                        manifest.hasAddedFiles() || manifest.hasExistingFiles());
        return isAny ? Optional.of("somebody deleted rows of it") : Optional.empty();
    }

    private static Optional<Piece> piece(DataFile file, int key) {
        Optional<Long> first = bound(file.lowerBounds(), key);
        Optional<Long> last = bound(file.upperBounds(), key);
        return first.isEmpty() || last.isEmpty()
                ? Optional.empty()
                : Optional.of(new Piece(file.copy(), first.get(), last.get()));
    }

    private static Optional<Long> bound(Map<Integer, ByteBuffer> bounds, int key) {
        return Optional.ofNullable(bounds)
                .map(all -> all.get(key))
                .map(bytes -> Conversions.<Long>fromByteBuffer(LongType.get(), bytes));
    }

    private static Optional<String> foreign(DataFile file) {
        return Optional.of("it holds a file that no fold wrote, " + file.location());
    }

    /** The highest key of its rows; -1: it has none. */
    long last() {
        return pieces.stream().mapToLong(Piece::last).max().orElse(-1);
    }

    long rows() {
        return pieces.stream().mapToLong(Piece::rows).sum();
    }

    /** Whether no key can be in two of its files. */
    boolean isApart() {
        for (int i = 1; i < pieces.size(); i++) {
            if (pieces.get(i).first() <= pieces.get(i - 1).last()) {
                return false;
            }
        }
        return true;
    }

    /** The same, with a flaw that was found. */
    Content flawed(String why) {
        return new Content(snapshotId, pieces, Optional.of(why));
    }
}
