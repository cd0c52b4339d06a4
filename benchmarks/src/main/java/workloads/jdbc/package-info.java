/** Servers of databases that are written in Java, and a client that uses only JDBC. */
package workloads.jdbc;
