/** How a thread waits: first it polls ({@link jfs.wait.Polling}), then it sleeps ({@link jfs.wait.Sleepers}). */
package jfs.wait;
