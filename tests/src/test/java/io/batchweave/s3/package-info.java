/** The S3 store against real servers, and against ones that misbehave as planned. */
package io.batchweave.s3;
