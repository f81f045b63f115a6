package io.batchweave.house;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.regex.Pattern;

/** Calls that only some places may make, and what the others do instead. */
enum ForbiddenCall {
    TIME(
            "take the time from World.clock()",
            "world\\..*",
            "java.lang.System.(currentTimeMillis|nanoTime)\\(\\)",
            "java.time.\\w+.now\\((java.time.ZoneId)?\\)",
            "java.time.(Clock|InstantSource).(system|tick).*",
            "java.util.Date.<init>\\(\\)"),
    SLEEP(
            "let time pass by World.pause()",
            "world\\..*",
            "java.lang.Thread.sleep\\(.*",
            "java.util.concurrent.TimeUnit.sleep\\(.*",
            "java.util.concurrent.locks.LockSupport.park.*"),
    WAIT(
            "wait for another thread by World.pause(): then it can be simulated",
            "(world|cli|sidecar|store\\.s3)\\..*|store\\.ProbeRace|read\\.Ahead",
            "java.lang.Object.wait\\(.*",
            "java.lang.Thread.join\\(.*",
            "java.util.concurrent.\\w*Future.(get|join)\\(.*",
            "java.util.concurrent.\\w+.(await|acquire|take|awaitTermination|invokeAll)\\(.*",
            "java.util.concurrent.locks.Condition.await\\w*\\(.*"),
    CHANCE(
            "take chance from World.random() and ids from World.newId()",
            "world\\..*",
            "java.lang.Math.random\\(\\)",
            "java.util.(Random|SplittableRandom).<init>\\(\\)",
            "java.util.concurrent.ThreadLocalRandom.*",
            "java.util.random.RandomGenerator(Factory)?.(of|getDefault|create)\\(.*",
            "java.security.SecureRandom.*",
            "java.util.Collections.shuffle\\(java.util.List\\)",
            "java.util.UUID.randomUUID\\(\\)"),
    FILES(
            "go through ObjectStore",
            "(store\\.local|sidecar|cli|examples)\\..*",
            "java.io.(File|FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile)"
                    + "\\..*",
            "java.nio.file.Files\\..*",
            "java.nio.file.Path.toFile\\(\\)",
            "java.nio.channels.(Asynchronous)?FileChannel.open\\(.*"),
    CONSOLE(
            "return it, or log it by SLF4J; programs that people start talk to them",
            "(cli|examples)\\..*",
            "java.lang.System.(out|err|in|console\\(\\))"),
    STACK_TRACE(
            "let the exception go up, or log it by SLF4J with a sentence that says what failed",
            "nobody",
            ".*\\.printStackTrace\\(.*"),
    EXIT(
            "throw; only the command line's main class ends the process",
            "cli\\.Main(\\$.*)?",
            "java.lang.System.exit\\(.*",
            "java.lang.Runtime.(exit|halt)\\(.*");

    private final String instead;
    private final Pattern freeTo;
    private final Pattern calls;

    ForbiddenCall(String instead, String freeTo, String... calls) {
        this.instead = instead;
        this.freeTo = Pattern.compile("io\\.batchweave\\.(" + freeTo + ")");
        this.calls = Pattern.compile(String.join("|", calls));
    }

    boolean matches(JavaAccess<?> access) {
        return calls.matcher(access.getTarget().getFullName()).matches();
    }

    /** Whether the class is one of the few that may. */
    boolean isFreeTo(JavaClass type) {
        return freeTo.matcher(type.getName()).matches();
    }

    @Override
    public String toString() {
        return instead;
    }
}
