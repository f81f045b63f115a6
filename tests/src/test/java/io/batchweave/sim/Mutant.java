package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.testing.Require;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * All classes of this project, loaded anew, with one place in their source changed and compiled
 * again.
 *
 * <p>Four ways to seed a bug were considered. Switches in the code would be shipped. A store in the
 * way, or another implementation behind an interface, reaches only bugs at that border, and most of
 * ours lie between two calls. A changed copy of a class in the tests goes stale as soon as the
 * class moves on, and nobody notices. A changed byte code is exact and unreadable. The source
 * itself, with one place replaced, reads as the error that somebody might make, needs nothing of
 * the code that is shipped, and when the code moves on the place is no longer found, which fails
 * the test.
 */
final class Mutant extends ClassLoader {
    private static final String HOUSE = "io.batchweave.";
    private static final Path ROOT = Path.of(System.getProperty("repository.root", ".."));

    private final Map<String, ByteArrayOutputStream> changed;

    private Mutant(Map<String, ByteArrayOutputStream> changed) {
        super(Mutant.class.getClassLoader());
        this.changed = changed;
    }

    /** The project with a bug. */
    static Mutant with(Bug bug) {
        return of(bug.place(), bug.correct(), bug.wrong());
    }

    /** The project without this bug: as it is, but made in the same way. */
    static Mutant without(Bug bug) {
        return of(bug.place(), bug.correct(), bug.correct());
    }

    private static Mutant of(String place, String correct, String wrong) {
        String source = source(place);
        Matcher found = Pattern.compile(spaced(correct)).matcher(source);
        assertThat(found.results().count())
                .as("%s has moved on; say anew what the bug is. It was in: %s", place, correct)
                .isEqualTo(1);
        return new Mutant(compile(place, found.replaceFirst(Matcher.quoteReplacement(wrong))));
    }

    /** Lets any white space stand where there is some, and beside points and brackets. */
    private static String spaced(String code) {
        return Arrays.stream(code.split("(?<=[(.])|(?=[.)])|\\s+", 0))
                .map(Pattern::quote)
                .collect(Collectors.joining("\\s*"));
    }

    private static String source(String place) {
        String file = "src/main/java/" + place.replace('.', '/') + ".java";
        Path path =
                List.of("iceberg-tgb", "arrow-reader").stream()
                        .map(module -> ROOT.resolve(module).resolve(file))
                        .filter(Files::exists)
                        .findFirst()
                        .orElseThrow();
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + path, e);
        }
    }

    private static Map<String, ByteArrayOutputStream> compile(String place, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Require.that(compiler != null, "seeding bugs takes a compiler: run the tests with a JDK");
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        StringWriter complaints = new StringWriter();
        JavaFileManager files =
                new InMemory(compiler.getStandardFileManager(null, null, null), classes);
        List<String> options =
                List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
        JavaFileObject unit =
                new SimpleJavaFileObject(
                        URI.create("string:///" + place.replace('.', '/') + ".java"),
                        JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        boolean compiled =
                compiler.getTask(complaints, files, null, options, null, List.of(unit)).call();
        assertThat(compiled).as("compiling %s: %s", place, complaints).isTrue();
        return classes;
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location,
                String name,
                JavaFileObject.Kind kind,
                javax.tools.FileObject by) {
            return new SimpleJavaFileObject(
                    URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    classes.put(name, bytes);
                    return bytes;
                }
            };
        }
    }

    /** Our own classes are loaded here, those of others where they always are. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(HOUSE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = changed.containsKey(name) ? changed.get(name).toByteArray() : original(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
