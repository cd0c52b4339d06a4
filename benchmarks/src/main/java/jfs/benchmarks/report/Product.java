package jfs.benchmarks.report;

import java.awt.Color;

/** What is measured. It has the same colour in each plot. */
public enum Product {
    JDK(new Color(0xC4, 0x4E, 0x52)),
    JFS(new Color(0x1F, 0x5F, 0xA8)),
    /** JFS, started or used in another way. */
    AGENT(new Color(0x6F, 0xA8, 0xDC)),
    FLOOR(new Color(0x55, 0x55, 0x55));

    private final Color color;

    Product(Color color) {
        this.color = color;
    }

    public Color color() {
        return color;
    }
}
