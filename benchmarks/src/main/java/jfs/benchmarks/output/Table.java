package jfs.benchmarks.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of right-aligned columns, each as wide as its widest cell. */
public final class Table {
    private final List<String[]> rows = new ArrayList<>();

    public Table(String... heads) {
        rows.add(heads);
    }

    public void add(String... cells) {
        if (cells.length != rows.get(0).length) {
            throw new IllegalArgumentException(cells.length + " cells for " + rows.get(0).length + " columns");
        }
        rows.add(cells);
    }

    public List<String> heads() {
        return List.of(rows.get(0));
    }

    /** The rows below the heads. */
    public List<String[]> rows() {
        return List.copyOf(rows.subList(1, rows.size()));
    }

    /** Three significant digits or all digits before the point, whichever is more: 0.0482, 6.02, 73.4, 27904. */
    public static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        int digitsBeforePoint = value == 0 ? 1 : (int) Math.floor(Math.log10(Math.abs(value))) + 1;
        return String.format(Locale.ROOT, "%." + Math.max(0, 3 - digitsBeforePoint) + "f", value);
    }

    @Override
    public String toString() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(i == 0 ? "" : "  ").append(" ".repeat(widths[i] - row[i].length())).append(row[i]);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
