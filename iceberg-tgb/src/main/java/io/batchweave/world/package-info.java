/**
 * All that the protocol takes from outside its arguments: time, sleep and chance. Real code and
 * simulated code differ in the {@link io.batchweave.world.World} they are given and in nothing
 * else.
 */
package io.batchweave.world;
