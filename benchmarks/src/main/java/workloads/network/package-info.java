/** Network programs on well-known libraries, each a server and a client whose operations are measured. */
package workloads.network;
