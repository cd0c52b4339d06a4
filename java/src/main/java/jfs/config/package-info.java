/** All settings, each declared once. */
package jfs.config;
