/**
 * The sidecar: one process on a node that fetches what its trainer processes are given.
 *
 * <p>A trainer speaks to it in lines over a Unix socket, which {@code arrow-reader/delivery.md}
 * describes, and maps the files it names. Each connection is a reader with two threads: one reads
 * lines, so that the end of a trainer is noticed at once; the other does what they say.
 *
 * <p>A gRPC service on the socket was considered: Python programs would need its library in every
 * trainer and data loader worker, where it does not survive a fork. Passing file descriptors over
 * the socket would make names in shared memory needless; Java cannot.
 */
package io.batchweave.sidecar;
