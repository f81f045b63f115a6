package io.batchweave.store.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.store.Stores;
import io.batchweave.store.hadoop.FakeAzure.Rename;
import io.batchweave.world.World;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems that are not HDFS: which are taken, and what their failures mean. */
class ConnectorsTest {
    @TempDir private Path folder;

    private final Configuration settings = new Configuration();

    @BeforeEach
    void connect() {
        settings.set("fs.abfs.impl", FakeAzure.class.getName());
        FakeAzure.does();
    }

    @AfterEach
    void calm() {
        FakeAzure.does();
    }

    private ObjectStore open() {
        return HadoopStore.open(
                URI.create("abfs://container@account" + folder), World.real(), settings);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    @Tag("STORE-3")
    void oneThatReplacesWhatIsThereIsRefusedByTheProbe() {
        FakeAzure.does(Rename.REPLACES);
        try (ObjectStore store = open()) {
            assertThatThrownBy(() -> Probe.demandConditions(store, "probe", "create dataset a.b"))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("Cannot create dataset a.b in abfs://container@account/")
                    .hasMessageContaining("breaks a promise");
        }
    }

    @Test
    void oneThatCopiesIsNotOpened() {
        FakeAzure.does(Rename.COPIES);

        assertThatThrownBy(this::open)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot open abfs://container@account"
                                + folder
                                + ": its file system (FakeAzure) has no rename that is atomic; use"
                                + " another store");
    }

    @Test
    @Tag("STORE-1")
    void aRenameThatIsDoneWithoutAnAnswerIsUnknown() {
        try (ObjectStore store = open()) {
            store.create("log/other", bytes("y"));
            FakeAzure.does(Rename.LOSES_ITS_ANSWER);

            assertThat(store.create("log/0", bytes("x")))
                    .isInstanceOfSatisfying(
                            Creation.Unknown.class,
                            unknown ->
                                    assertThat(unknown.cause())
                                            .hasMessageContaining("Cannot create log/0 in abfs://")
                                            .hasMessageContaining("came to nothing (IOException)")
                                            .hasMessageNotContaining("secret"));
            assertThat(store.read("log/0", 1)).isInstanceOf(Fetched.Found.class);
        }
    }

    @Test
    @Tag("STORE-1")
    void aRenameThatIsLostIsSettledByTheFileThatIsStillThere() {
        try (ObjectStore store = open()) {
            FakeAzure.does(Rename.IS_LOST);

            assertThatThrownBy(() -> store.create("log/0", bytes("x")))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageNotContaining("secret");
            assertThat(folder.resolve(".uploads")).isEmptyDirectory();
            assertThat(store.read("log/0", 1)).isInstanceOf(Fetched.Absent.class);
        }
    }

    @Test
    void aConnectorThatIsNotThereIsNamed() {
        for (String uri :
                new String[] {"gs://bucket/w", "s3a://bucket/w", "abfss://container@account/w"}) {
            assertThatThrownBy(() -> Stores.open(uri, World.real()))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "Cannot open %s: Hadoop has no connector for '%s'; put it on the class path"
                                    .formatted(uri, URI.create(uri).getScheme()));
        }
    }

    @Test
    void aUriThatNamesNoFolderIsRefused() {
        for (String uri :
                new String[] {"hdfs:w", "hdfs://host/w?token=secret", "hdfs://host/w#a"}) {
            assertThatThrownBy(() -> Stores.open(uri, World.real()))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage(
                            "Cannot open a store of scheme 'hdfs': its URI is not of the form"
                                    + " hdfs://host/folder");
        }
    }
}
