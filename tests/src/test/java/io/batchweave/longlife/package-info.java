/** Datasets that live long: what they cost, and what is kept of them. */
package io.batchweave.longlife;
