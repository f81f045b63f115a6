package io.batchweave.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.catalog.files.ObjectStoreFileIO;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.PositionOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies in a warehouse, and who else may read it. */
class ObjectStoreCatalogTest {
    private static final TableIdentifier TABLE = NamespaceContract.TABLE;

    @TempDir private Path folder;
    private final ObjectStoreCatalog ours = new ObjectStoreCatalog();

    @BeforeEach
    void open() {
        ours.initialize("ours", Map.of(CatalogProperties.WAREHOUSE_LOCATION, folder.toString()));
    }

    @AfterEach
    void close() throws IOException {
        ours.close();
    }

    private HadoopCatalog hadoop() {
        return new HadoopCatalog(new Configuration(), folder.toUri().toString());
    }

    private Table created() {
        ours.createNamespace(NamespaceContract.NS);
        return ours.createTable(TABLE, NamespaceContract.SCHEMA);
    }

    @Test
    void aHadoopCatalogReadsTheSameFiles() throws IOException {
        Table table = created();
        table.newAppend().appendFile(TableContract.file(table, "a")).commit();
        table.newAppend().appendFile(TableContract.file(table, "b")).commit();

        try (HadoopCatalog hadoop = hadoop()) {
            assertThat(hadoop.listTables(NamespaceContract.NS)).containsExactly(TABLE);
            Table theirs = hadoop.loadTable(TABLE);
            assertThat(TableContract.files(theirs)).containsExactly("a", "b");
            assertThat(theirs.uuid()).isEqualTo(table.uuid());

            ours.dropTable(TABLE, false);
            assertThat(hadoop.tableExists(TABLE)).isFalse();
            ours.createTable(TABLE, NamespaceContract.SCHEMA);
            assertThat(TableContract.files(hadoop.loadTable(TABLE))).isEmpty();
        }
    }

    @Test
    void aTableOfAHadoopCatalogIsReadAndGoesOn() throws IOException {
        try (HadoopCatalog hadoop = hadoop()) {
            Table theirs = hadoop.createTable(TABLE, NamespaceContract.SCHEMA);
            theirs.newAppend().appendFile(TableContract.file(theirs, "a")).commit();

            Table table = ours.loadTable(TABLE);
            assertThat(TableContract.files(table)).containsExactly("a");
            table.updateProperties()
                    .set(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true")
                    .set(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "1")
                    .commit();
            for (int i = 0; i < 3; i++) {
                table.updateProperties().set("n", "" + i).commit();
            }

            // Its hint led to a version that is gone by now.
            assertThat(hadoop.loadTable(TABLE).properties()).containsEntry("n", "2");
        }
    }

    @Test
    void aDatasetIsANeighbourAndNoTable() throws IOException {
        Path dataset = Files.createDirectories(folder.resolve("train/steps/log/0"));
        Files.writeString(dataset.resolve("0"), "a commit");

        assertThat(ours.namespaceExists(NamespaceContract.NS)).isTrue();
        assertThat(ours.listNamespaces()).containsExactly(NamespaceContract.NS);
        assertThat(ours.listTables(NamespaceContract.NS)).isEmpty();
        assertThat(ours.loadNamespaceMetadata(NamespaceContract.NS)).isEmpty();
        assertThat(ours.dropTable(TABLE, true)).isFalse();
        assertThatThrownBy(() -> ours.createTable(TABLE, NamespaceContract.SCHEMA))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("a dataset lies there");
        assertThatThrownBy(() -> ours.dropNamespace(NamespaceContract.NS))
                .isInstanceOf(NamespaceNotEmptyException.class)
                .hasMessageContaining("steps");
        assertThat(dataset.resolve("0")).exists();
    }

    @Test
    void aPurgeStaysInItsFolder() throws IOException {
        Table table = created();
        Path payload = Files.createDirectories(folder.resolve("train/pretrain/data"));
        Files.writeString(payload.resolve("0.parquet"), "payload");
        Path own = Files.createDirectories(folder.resolve("train/steps/data"));
        Files.writeString(own.resolve("a.parquet"), "data");
        table.newAppend().appendFile(TableContract.file(table, "a")).commit();
        table.newAppend().appendFile(TableContract.file(table, "../../pretrain/data/0")).commit();
        table.newAppend()
                .appendFile(
                        org.apache.iceberg.DataFiles.builder(table.spec())
                                .withPath(
                                        table.location().replace("steps", "pretrain")
                                                + "/data/0.parquet")
                                .withFileSizeInBytes(7)
                                .withRecordCount(1)
                                .build())
                .commit();

        ours.dropTable(TABLE, true);

        assertThat(payload.resolve("0.parquet")).exists();
        assertThat(own.resolve("a.parquet")).doesNotExist();
    }

    @Test
    void aPurgeOfADamagedTableDropsItAndSaysWhereItsFilesStay() throws IOException {
        Table table = created();
        Path own = Files.createDirectories(folder.resolve("train/steps/data"));
        Files.writeString(own.resolve("a.parquet"), "data");
        table.newAppend().appendFile(TableContract.file(table, "a")).commit();
        Files.writeString(folder.resolve("train/steps/metadata/v2.metadata.json"), "{\"broken");

        ByteArrayOutputStream warnings = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
        try {
            assertThat(ours.dropTable(TABLE, true)).isTrue();
        } finally {
            System.setErr(before);
        }

        assertThat(warnings.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains(
                        "Table train.steps is dropped, and files of it stay in " + table.location())
                .endsWith("/metadata/x3.metadata.json.dropped; delete them by hand");
        assertThat(ours.tableExists(TABLE)).isFalse();
        assertThat(own.resolve("a.parquet")).exists();
        assertThat(TableContract.files(ours.createTable(TABLE, NamespaceContract.SCHEMA)))
                .isEmpty();
    }

    @Test
    void filesAreReadInOtherProcesses() throws Exception {
        Table table = created();
        String location = table.location() + "/data/some.bin";
        byte[] bytes = new byte[3 << 20];
        new java.util.SplittableRandom(5).nextBytes(bytes);
        try (PositionOutputStream out = table.io().newOutputFile(location).create()) {
            out.write(bytes, 0, 10);
            out.write(bytes, 10, bytes.length - 10);
            assertThat(out.getPos()).isEqualTo(bytes.length);
        }

        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(sent)) {
            objects.writeObject(table.io());
        }
        try (ObjectInputStream objects =
                        new ObjectInputStream(new ByteArrayInputStream(sent.toByteArray()));
                FileIO there = (FileIO) objects.readObject();
                InputStream in = there.newInputFile(location, bytes.length).newStream()) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
            assertThat(there.newInputFile(location).getLength()).isEqualTo(bytes.length);
        }
    }

    @Test
    void aFileIsWrittenOnce() throws IOException {
        FileIO io = created().io();
        String location = ours.loadTable(TABLE).location() + "/data/once";
        try (PositionOutputStream out = io.newOutputFile(location).create()) {
            out.write(1);
        }

        assertThatThrownBy(() -> io.newOutputFile(location).create())
                .isInstanceOf(AlreadyExistsException.class);
        PositionOutputStream again = io.newOutputFile(location).createOrOverwrite();
        again.write(2);
        assertThatThrownBy(again::close).isInstanceOf(AlreadyExistsException.class);
        try (InputStream in = io.newInputFile(location).newStream()) {
            assertThat(in.readAllBytes()).containsExactly(1);
        }
    }

    @Test
    void filesElsewhereAreRefused() {
        FileIO io = new ObjectStoreFileIO(Stores.open(folder.toString(), World.real()), Map.of());

        assertThatThrownBy(() -> io.newInputFile("file:///etc/passwd"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("outside of the warehouse");
        assertThatThrownBy(() -> io.newInputFile(folder.toUri() + "../x"))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> io.newInputFile(folder.toUri() + "absent").newStream().close())
                .isInstanceOf(NotFoundException.class);
    }
}
