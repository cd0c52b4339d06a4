package jfs.benchmarks.report;

import java.awt.Color;

/** What is measured. It has the same colour in each plot. */
public enum Product {
    JDK(new Color(0xC4, 0x4E, 0x52)),
    JFS(new Color(0x1F, 0x5F, 0xA8)),
    /** JFS in another way: started by agent, in JVMs that are not warm, of another commit. */
    AGENT(new Color(0x6F, 0xA8, 0xDC)),
    /** JFS's libraries for programs in C. */
    LIBRARY(new Color(0x7B, 0x5E, 0xA7)),
    /** What no sockets can do better: programs in C without JFS, or pipes in one JVM. */
    FLOOR(new Color(0x55, 0x55, 0x55));

    private final Color color;

    Product(Color color) {
        this.color = color;
    }

    Color color() {
        return color;
    }
}
