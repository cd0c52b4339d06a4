/** Every setting, declared once. */
package jfs.config;
