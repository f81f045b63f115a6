/**
 * Examples of what Spark does with the tables of steps and events. They know Spark alone: to it the
 * tables are Iceberg's like any others.
 */
package io.batchweave.examples;
