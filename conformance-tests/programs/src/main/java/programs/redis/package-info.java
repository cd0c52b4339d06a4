/** Redis. */
package programs.redis;
