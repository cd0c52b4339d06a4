/** Apache Kafka: one broker that is its own controller, and a client that writes and reads records. */
package programs.kafka;
