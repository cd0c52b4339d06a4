/** JDBC: three database servers in Java, and one client for every database. */
package programs.jdbc;
