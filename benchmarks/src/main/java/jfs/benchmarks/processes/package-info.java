/** Child processes: their start, their output and their end, pairs that take turns, and what runs beside them or between hosts. */
package jfs.benchmarks.processes;
