/** gRPC on Netty's NIO transport. The messages are plain bytes, so that no code is generated. */
package programs.grpc;
