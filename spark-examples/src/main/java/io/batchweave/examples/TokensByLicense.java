package io.batchweave.examples;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.countDistinct;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.split;
import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Joins the steps with a table of sources that somebody keeps elsewhere: how many tokens of each
 * license a model was fed, and in how many steps. What is not in the table of sources is not lost,
 * but counted as unknown.
 */
public final class TokensByLicense {
    private TokensByLicense() {}

    /**
     * Writes the answer.
     *
     * @param arguments the table of steps, such as {@code weave.demo.train_steps}; a CSV file of
     *     sources with the columns {@code file} and {@code license}; and the folder for the answer,
     *     which becomes JSON
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException(
                    "Cannot run without three arguments: a table of steps, a CSV file of sources,"
                            + " and a folder for the answer");
        }
        try (SparkSession spark =
                SparkSession.builder().appName("tokens by license").getOrCreate()) {
            Dataset<Row> sources = spark.read().option("header", true).csv(arguments[1]);
            Dataset<Row> answer = tokens(spark.table(arguments[0]), sources);
            answer.coalesce(1).write().json(arguments[2]);
        }
    }

    /** One row a license, with the columns {@code license}, {@code steps} and {@code tokens}. */
    static Dataset<Row> tokens(Dataset<Row> steps, Dataset<Row> sources) {
        return steps.select(col("step"), explode(col("sources")).as("source"))
                .withColumn("file", element_at(split(col("source.input"), "/"), -1))
                .join(sources, new String[] {"file"}, "left")
                .groupBy(coalesce(col("license"), lit("unknown")).as("license"))
                .agg(countDistinct("step").as("steps"), sum(col("source.amount")).as("tokens"))
                .orderBy("license");
    }
}
