/** Databases written in Java, as servers, and a client of theirs that knows JDBC only. */
package workloads.jdbc;
