/** What the tests of every module share. */
package io.batchweave.testing;
