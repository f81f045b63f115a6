package io.batchweave.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What things are called, and what may be asked of a caller. */
class NamesTest {
    private static final Pattern EMPTY_NAME =
            Pattern.compile("Base[A-Z].*|.*(Impl|Manager|Helper|Utils?)");
    private static final Pattern GETTER = Pattern.compile("get[A-Z].*");
    private static final Pattern TEST = Pattern.compile(".*\\.(\\w*Test|Property|Example)");
    private static final Pattern TEST_CLASS = Pattern.compile(".*(Test|IT|Benchmark)");

    @Test
    void classesAreNamedForWhatTheyAre() {
        Breaches.assertNone(
                "A name that says nothing. Name the class for what it is to its callers, and what"
                        + " they share for what it does:",
                Stream.concat(Compiled.main().stream(), Compiled.tests())
                        .filter(type -> EMPTY_NAME.matcher(type.getSimpleName()).matches())
                        .map(JavaClass::getName));
    }

    @Test
    void accessorsHaveNoPrefix() {
        Breaches.assertNone(
                "A public getter. Name it for what it returns, as a record does: version(), not"
                        + " getVersion():",
                publicMethods()
                        .filter(method -> GETTER.matcher(method.getName()).matches())
                        .map(JavaMethod::getFullName));
    }

    @Test
    void callersPassNoBooleans() {
        Breaches.assertNone(
                "A public boolean parameter: at the call, nobody sees what 'true' means. Make two"
                        + " methods with names, or an enum:",
                Stream.concat(publicMethods(), publicConstructors())
                        .filter(NamesTest::takesBoolean)
                        .map(JavaCodeUnit::getFullName));
    }

    @Test
    void everyTestIsFoundByMaven() {
        Breaches.assertNone(
                "Tests in a class that Maven does not run. Name it ...Test if it is fast, ...IT if"
                        + " it is slow; a suite to inherit is abstract:",
                Compiled.tests()
                        .filter(type -> type.isTopLevelClass() && hasTests(type))
                        .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                        .filter(type -> !TEST_CLASS.matcher(type.getSimpleName()).matches())
                        .map(JavaClass::getName));
    }

    private static Stream<JavaMethod> publicMethods() {
        return publicTypes()
                .flatMap(type -> type.getMethods().stream())
                .filter(NamesTest::isPublic)
                .filter(method -> !Compiled.isPrescribed(method));
    }

    /** Records name what they are given: their components are seen at every use. */
    private static Stream<JavaCodeUnit> publicConstructors() {
        return publicTypes()
                .filter(type -> !type.isRecord())
                .flatMap(type -> type.getConstructors().stream())
                .filter(NamesTest::isPublic)
                .map(constructor -> constructor);
    }

    private static Stream<JavaClass> publicTypes() {
        return Compiled.main().stream().filter(Compiled::isPublicApi);
    }

    private static boolean isPublic(JavaCodeUnit code) {
        return code.getModifiers().contains(JavaModifier.PUBLIC)
                && !code.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    private static boolean takesBoolean(JavaCodeUnit code) {
        List<String> types = code.getRawParameterTypes().stream().map(JavaClass::getName).toList();
        return types.contains("boolean") || types.contains("java.lang.Boolean");
    }

    private static boolean hasTests(JavaClass type) {
        return type.getMethods().stream()
                .flatMap(method -> method.getAnnotations().stream())
                .anyMatch(used -> TEST.matcher(used.getRawType().getName()).matches());
    }
}
