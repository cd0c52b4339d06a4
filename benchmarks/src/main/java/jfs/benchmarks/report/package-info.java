/** What a measurement has found: one model, which is shown as text and as a page of HTML with plots. */
package jfs.benchmarks.report;
