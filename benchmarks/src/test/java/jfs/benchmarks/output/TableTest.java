package jfs.benchmarks.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void numbersHaveThreeDigits() {
        assertEquals("0.0482", Table.number(0.0482));
        assertEquals("6.02", Table.number(6.0249));
        assertEquals("27904", Table.number(27_904.3));
        assertEquals("-", Table.number(Double.NaN));
        assertEquals("0.00", Table.number(0));
    }
}
