/** What the tests of whole programs share: how a program is started, with or without JFS, what it has said, and two hosts for it. */
package jfs.programs.harness;
