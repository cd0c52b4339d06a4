/** Apache ZooKeeper: a server alone, and a client. */
package programs.zookeeper;
