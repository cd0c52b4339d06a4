/** The negotiation between hosts with the kernel's TCP and natives, in one JVM; what needs neither is tested beside its code. */
package jfs.negotiation;
