package io.batchweave.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.store.ProbeReport;
import io.batchweave.store.Upload;
import io.batchweave.store.hadoop.HadoopStore;
import io.batchweave.world.World;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What HDFS does beyond the contract, and what is said when it does not do it. */
@Timeout(120)
class HdfsStoreIT {
    @TempDir private static Path folder;
    private static MiniDfs server;
    private static DistributedFileSystem files;

    @BeforeAll
    static void start() throws Exception {
        server = MiniDfs.start(folder);
        files = server.files();
    }

    @AfterAll
    static void stop() throws Exception {
        files.close();
        server.close();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static org.apache.hadoop.fs.Path path(String path) {
        return new org.apache.hadoop.fs.Path(path);
    }

    private static List<String> staged(String space) throws Exception {
        return Arrays.stream(files.listStatus(path(space + "/.uploads")))
                .map(FileStatus::getPath)
                .map(org.apache.hadoop.fs.Path::getName)
                .toList();
    }

    private static void assertUnavailable(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call)
                .isInstanceOf(UnavailableException.class)
                .message()
                .doesNotContain("\n")
                .contains(parts);
    }

    @Test
    void theProbeFindsThatItKeepsEveryPromise() {
        try (ObjectStore store = server.open("/probe")) {
            ProbeReport report = Probe.of(store, "probe", Probe.Effort.QUICK);

            assertThat(report.broken(ProbeReport.Use.WRITE)).isEmpty();
        }
    }

    @Test
    void nothingIsLeftOfWhatIsOver() throws Exception {
        try (ObjectStore store = server.open("/over")) {
            store.create("done", bytes("x"));
            Upload loser = store.upload("done");
            loser.write(bytes("y"));
            loser.complete();
            store.upload("given-up").close();
            store.upload("open").write(bytes("z"));
            assertThat(staged("/over")).hasSize(1);
        }
        assertThat(staged("/over")).isEmpty();
    }

    @Test
    void whatADeadWriterLeftGoesAfterADay() throws Exception {
        files.create(path("/dead/.uploads/old")).close();
        files.create(path("/dead/.uploads/young")).close();
        long made = files.getFileStatus(path("/dead/.uploads/young")).getModificationTime();
        long day = Duration.ofDays(1).toMillis();
        files.setTimes(path("/dead/.uploads/old"), made - day - 60_000, -1);
        files.setTimes(path("/dead/.uploads/young"), made - day + 60_000, -1);

        try (ObjectStore store = server.open("/dead")) {
            store.create("log/0", bytes("x"));
        }

        assertThat(staged("/dead")).containsExactly("young");
    }

    @Test
    void anUploadWhoseFileIsGoneFails() throws Exception {
        try (ObjectStore store = server.open("/gone")) {
            Upload upload = store.upload("log/0");
            upload.write(bytes("x"));
            Upload closed = store.upload("log/1");
            closed.write(bytes("x"));
            files.delete(path("/gone/.uploads"), true);

            assertUnavailable(upload::complete, "Cannot create log/0 in hdfs://");
            closed.close();
            assertThat(store.read("log/0", 1)).isInstanceOf(Fetched.Absent.class);
        }
    }

    @Test
    void aFolderOfOthersCannotBecomeAnObject() {
        try (ObjectStore store = server.open("/folders")) {
            store.create("a/b", bytes("x"));

            assertUnavailable(() -> store.create("a", bytes("y")), "Cannot create a in hdfs://");
            assertUnavailable(
                    () -> store.create("a/b/c", bytes("y")), "Cannot create a/b/c in hdfs://");
            assertThat(store.list("a", "").objects()).hasSize(1);
        }
    }

    @Test
    void aViewLeadsToWhatIsBehindIt() throws Exception {
        files.mkdirs(path("/behind"));
        Configuration settings = MiniDfs.settings();
        settings.set("fs.viewfs.mounttable.lake.link./data", server.uri() + "/behind");
        try (ObjectStore view =
                        HadoopStore.open(
                                URI.create("viewfs://lake/data/x/y"), World.real(), settings);
                ObjectStore behind = server.open("/behind/x/y")) {
            assertThat(view.uri()).isEqualTo(behind.uri());

            assertThat(view.create("a/b", bytes("x"))).isInstanceOf(Creation.Done.class);
            assertThat(behind.create("a/b", bytes("y"))).isInstanceOf(Creation.Refused.class);
        }
        settings.set("fs.viewfs.mounttable.lake.link./lost", server.uri() + "/nowhere");
        for (String uri : List.of("viewfs://lake/lost/x", "viewfs://lake/else")) {
            assertUnavailable(
                    () -> HadoopStore.open(URI.create(uri), World.real(), settings),
                    "Cannot open " + uri + ": its view leads nowhere; mount it");
        }
    }

    @Test
    void aHostThatIsNotThereIsSaidSoInTime() {
        Configuration settings = MiniDfs.settings();
        settings.set("ipc.client.connect.max.retries", "1");
        try (ObjectStore store =
                HadoopStore.open(URI.create("hdfs://127.0.0.1:1/w"), World.real(), settings)) {
            assertUnavailable(
                    () -> store.read("a", 1),
                    "Cannot read a in hdfs://127.0.0.1:1/w: no server could be reached");
            assertUnavailable(
                    () -> store.create("a", bytes("x")), "Cannot create a in hdfs://127.0.0.1:1/w");
            assertUnavailable(() -> store.list("", ""), "no server could be reached");
            assertUnavailable(() -> store.delete(List.of("a")), "no server could be reached");
        }
        assertUnavailable(
                () ->
                        HadoopStore.open(
                                URI.create("hdfs://nobody.invalid:1/w"), World.real(), settings),
                "Cannot open hdfs://nobody.invalid:1/w: its host is unknown; check the URI");
    }

    @Test
    void whoMayNotWriteIsToldWho() throws Exception {
        files.mkdirs(path("/private"), new FsPermission((short) 0755));
        files.create(path("/private/a")).close();
        UserGroupInformation stranger = UserGroupInformation.createRemoteUser("stranger");
        PrivilegedExceptionAction<ObjectStore> open = () -> server.open("/private");
        try (ObjectStore store = stranger.doAs(open)) {
            assertUnavailable(
                    () -> store.create("b", bytes("x")),
                    "Cannot create b in hdfs://",
                    "Permission denied: user=stranger, access=WRITE");
            assertThatThrownBy(() -> store.delete(List.of("a")))
                    .isInstanceOf(NoAccessException.class)
                    .hasMessageContaining("Permission denied: user=stranger");
            assertThat(store.read("a", 1)).isInstanceOf(Fetched.Found.class);
        }
    }

    @Test
    void aQuotaThatIsFullIsSaidSo() throws Exception {
        files.mkdirs(path("/quota"));
        files.setQuota(path("/quota"), HdfsConstants.QUOTA_DONT_SET, 1 << 20);
        try (ObjectStore store = server.open("/quota")) {
            assertUnavailable(
                    () -> store.create("a", bytes("x")),
                    "Cannot create a in hdfs://",
                    "no space is left in a quota: The DiskSpace quota of /quota is exceeded");
            assertThat(store.read("a", 1)).isInstanceOf(Fetched.Absent.class);
        }
    }

    @Test
    void inSafeModeNothingIsWritten() throws Exception {
        try (ObjectStore store = server.open("/safe")) {
            Upload before = store.upload("begun");
            before.write(bytes("x"));
            files.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
            try {
                assertUnavailable(
                        () -> store.create("a", bytes("x")), "the NameNode is in safe mode");
                assertUnavailable(before::complete, "the NameNode is in safe mode");
                assertUnavailable(() -> store.delete(List.of("a")), "the NameNode is in safe mode");
                assertThat(store.read("a", 1)).isInstanceOf(Fetched.Absent.class);
            } finally {
                files.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
            }
            assertThat(store.create("a", bytes("x"))).isInstanceOf(Creation.Done.class);
            assertThat(store.read("begun", 1)).isInstanceOf(Fetched.Absent.class);
        }
    }

    @Test
    void anInterruptedThreadStaysSo() {
        try (ObjectStore store = server.open("/interrupted")) {
            store.create("a", bytes("x"));
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(
                            () -> store.read("a", 1),
                            () -> store.readInto("a", 0, ByteBuffer.allocateDirect(1)),
                            () -> store.list("", ""),
                            () -> store.create("b", bytes("y")))) {
                Thread.currentThread().interrupt();
                Throwable thrown = catchThrowable(call);
                assertThat(Thread.interrupted()).isTrue();
                if (thrown != null) {
                    assertThat(thrown)
                            .isInstanceOf(UnavailableException.class)
                            .hasMessageContaining("the thread was interrupted");
                }
            }
            assertThat(store.read("a", 1)).isInstanceOf(Fetched.Found.class);
        }
    }

    @Test
    void aClosedStoreSaysSo() {
        ObjectStore store = server.open("/closed");
        store.close();
        store.close();

        for (ThrowingCallable call :
                List.<ThrowingCallable>of(
                        () -> store.create("a", bytes("x")),
                        () -> store.upload("a"),
                        () -> store.read("a", 1),
                        () -> store.list("", ""),
                        () -> store.delete(List.of("a")))) {
            assertThatThrownBy(call)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("the store was closed; open it again");
        }
    }
}
