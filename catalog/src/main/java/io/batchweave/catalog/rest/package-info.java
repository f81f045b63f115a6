/**
 * Iceberg's REST protocol over any Iceberg catalog, for engines that speak nothing else.
 *
 * <p>What requests mean is decided by Iceberg's own handlers; here is what stands between them and
 * a network: routes, who may ask, how much may be sent, and how errors are told. Of the protocol's
 * options views, transactions over several tables, plans of scans and the handing out of
 * credentials are not offered; clients read and write files with access of their own.
 *
 * <p>The HTTP server is Jetty. That of the JDK was considered: it would do for the protocol, but
 * its limits of time and size are settings of the whole process, and most of them are off.
 */
package io.batchweave.catalog.rest;
