/** Apache Thrift: servers on channels, and a client on a socket. The service is written by hand, without Thrift's compiler. */
package programs.thrift;
