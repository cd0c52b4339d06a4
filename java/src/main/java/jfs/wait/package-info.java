/** Waiting as a named strategy: first {@link jfs.wait.Polling}, then {@link jfs.wait.Sleepers}. */
package jfs.wait;
