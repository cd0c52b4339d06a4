/**
 * What the tests share: connections in every state, which sockets are JFS's, transcripts that are compared with the JDK's,
 * and streams of checked bytes. No class here knows a test.
 */
package jfs.conformance.harness;
