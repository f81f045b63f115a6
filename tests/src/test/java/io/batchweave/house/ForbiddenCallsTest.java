package io.batchweave.house;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What only a few places may do, so that the real code runs in a simulated world. */
class ForbiddenCallsTest {

    @Test
    void whatIsShippedCallsNothingForbidden() {
        Breaches.assertNone(
                "A call that is forbidden here:",
                Compiled.main().stream().flatMap(ForbiddenCallsTest::breaches));
    }

    @Test
    void testsDoNotSleep() {
        Breaches.assertNone(
                "A test that sleeps is slow on every machine and wrong on some. Give it a clock and"
                        + " a Pause of its own, or wait for what it waits for:",
                Compiled.tests()
                        .flatMap(ForbiddenCallsTest::accesses)
                        .filter(ForbiddenCall.SLEEP::matches)
                        .map(JavaAccess::getDescription));
    }

    @Test
    void everyForbiddenCallIsSeen() {
        JavaClass offender = new ClassFileImporter().importClass(Offender.class);

        Assertions.assertThat(accesses(offender).filter(ForbiddenCallsTest::isForbidden))
                .hasSameSizeAs(Offender.class.getDeclaredMethods());
        Assertions.assertThat(ForbiddenCall.values())
                .allSatisfy(
                        call ->
                                Assertions.assertThat(accesses(offender).filter(call::matches))
                                        .isNotEmpty());
    }

    private static boolean isForbidden(JavaAccess<?> access) {
        return Arrays.stream(ForbiddenCall.values()).anyMatch(call -> call.matches(access));
    }

    private static Stream<String> breaches(JavaClass type) {
        return Arrays.stream(ForbiddenCall.values())
                .filter(call -> !call.isFreeTo(type))
                .flatMap(
                        call ->
                                accesses(type)
                                        .filter(call::matches)
                                        .map(access -> access.getDescription() + ": " + call));
    }

    private static Stream<JavaAccess<?>> accesses(JavaClass type) {
        return type.getAccessesFromSelf().stream();
    }
}
