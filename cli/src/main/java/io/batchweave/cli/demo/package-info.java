/**
 * The main job as a story that can be watched: real processes, real kills, and a report of what was
 * checked.
 */
package io.batchweave.cli.demo;
