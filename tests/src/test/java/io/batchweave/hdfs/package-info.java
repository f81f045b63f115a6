/** The Hadoop store on a real HDFS. */
package io.batchweave.hdfs;
