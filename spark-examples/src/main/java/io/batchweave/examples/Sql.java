package io.batchweave.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * Runs statements of SQL, for who has no {@code spark-sql}: those of the files named, or else those
 * of standard input. A semicolon at the end of a line ends a statement. Every row is printed as one
 * JSON object a line, and a semicolon after a statement's last.
 */
public final class Sql {
    private static final String END = ";";

    private Sql() {}

    /**
     * Prints the rows on standard output.
     *
     * @param files with statements, in UTF-8
     */
    public static void main(String[] files) throws IOException {
        try (SparkSession spark = SparkSession.builder().appName("sql").getOrCreate()) {
            if (files.length == 0) {
                run(
                        spark,
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            }
            for (String file : files) {
                try (BufferedReader statements = Files.newBufferedReader(Path.of(file))) {
                    run(spark, statements);
                }
            }
        }
    }

    private static void run(SparkSession spark, BufferedReader lines) throws IOException {
        StringBuilder statement = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String text = line.stripTrailing();
            if (text.endsWith(END)) {
                statement.append(text, 0, text.length() - END.length());
                run(spark, statement.toString());
                statement.setLength(0);
            } else {
                statement.append(line).append('\n');
            }
        }
        if (!statement.toString().isBlank()) {
            run(spark, statement.toString());
        }
    }

    private static void run(SparkSession spark, String statement) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        spark.sql(statement).toJSON().collectAsList().forEach(out::println);
        out.println(END);
    }
}
