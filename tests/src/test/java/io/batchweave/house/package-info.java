/**
 * The rules of this house, as tests. Each failure names the place, the rule and what to do instead.
 */
package io.batchweave.house;
