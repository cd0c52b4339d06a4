/** A Redis client. */
package programs.redis;
