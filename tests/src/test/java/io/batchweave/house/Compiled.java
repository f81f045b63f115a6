package io.batchweave.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The compiled classes of all modules, read once. */
final class Compiled {
    static final String HOUSE = "io.batchweave.";
    private static final Map<String, JavaClasses> READ = new ConcurrentHashMap<>();

    private Compiled() {}

    /** What is shipped. */
    static JavaClasses main() {
        return read("classes");
    }

    /** The tests of all modules but the rules themselves, which must show what they ban. */
    static Stream<JavaClass> tests() {
        return read("test-classes").stream()
                .filter(type -> !type.getPackageName().equals(Compiled.class.getPackageName()));
    }

    /** The package of a class without its first part, such as {@code store.local}. */
    static String shortPackage(JavaClass type) {
        return type.getPackageName().substring(HOUSE.length());
    }

    /** Whether others may call it, wherever they are. */
    static boolean isPublicApi(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(Compiled::isPublicApi).orElse(true);
    }

    /** Whether a type that is not ours prescribes the method. */
    static boolean isPrescribed(JavaMethod method) {
        List<String> parameters =
                method.getRawParameterTypes().stream().map(JavaClass::getName).toList();
        return Stream.concat(
                        method.getOwner().getAllRawSuperclasses().stream(),
                        method.getOwner().getAllRawInterfaces().stream())
                .filter(type -> !type.getName().startsWith(HOUSE))
                .anyMatch(
                        type ->
                                type.tryGetCodeUnitWithParameterTypeNames(
                                                method.getName(), parameters)
                                        .isPresent());
    }

    private static JavaClasses read(String folder) {
        return READ.computeIfAbsent(
                folder,
                name -> {
                    List<Path> folders =
                            Repository.modules().stream()
                                    .map(module -> Path.of(module, "target", name))
                                    .map(Repository.root()::resolve)
                                    .filter(Files::isDirectory)
                                    .toList();
                    return new ClassFileImporter().importPaths(folders);
                });
    }
}
