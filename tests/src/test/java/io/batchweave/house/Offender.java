package io.batchweave.house;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Never run: each method makes one call that is forbidden, to show that the rule sees it. */
@SuppressWarnings({"unused", "JavaUtilDate", "ThreadPriorityCheck", "WaitNotInLoop"})
abstract class Offender {
    long wallTime() {
        return System.currentTimeMillis();
    }

    LongSupplier nanosByReference() {
        return System::nanoTime;
    }

    Instant now() {
        return Instant.now();
    }

    LocalDate today(ZoneId zone) {
        return LocalDate.now(zone);
    }

    Clock systemClock() {
        return Clock.systemUTC();
    }

    InstantSource systemSource() {
        return InstantSource.system();
    }

    Date date() {
        return new Date();
    }

    void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    void sleepByUnit() throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
    }

    void park() {
        LockSupport.parkNanos(1);
    }

    void waitForNotice(Object monitor) throws InterruptedException {
        monitor.wait();
    }

    void join(Thread thread) throws InterruptedException {
        thread.join();
    }

    Object result(CompletableFuture<?> future) {
        return future.join();
    }

    void latch(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }

    double mathRandom() {
        return Math.random();
    }

    Random unseeded() {
        return new Random();
    }

    ThreadLocalRandom ofThread() {
        return ThreadLocalRandom.current();
    }

    SecureRandom secure() {
        return new SecureRandom();
    }

    void shuffle(List<String> list) {
        Collections.shuffle(list);
    }

    UUID id() {
        return UUID.randomUUID();
    }

    InputStream stream() throws IOException {
        return new FileInputStream("x");
    }

    byte[] file(Path path) throws IOException {
        return Files.readAllBytes(path);
    }

    FileChannel channel(Path path) throws IOException {
        return FileChannel.open(path);
    }

    Object out() {
        return System.out;
    }

    void trace(IOException e) {
        e.printStackTrace();
    }

    void exit() {
        System.exit(1);
    }

    void halt(Runtime runtime) {
        runtime.halt(1);
    }
}
