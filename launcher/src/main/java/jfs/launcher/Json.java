package jfs.launcher;

/** Writes one JSON value (RFC 8259), in ASCII, so that the encoding of the output does not matter. */
public final class Json {

    private final StringBuilder text = new StringBuilder();
    /** Whether the next name or value follows another one. */
    private boolean follows;

    public Json beginObject() {
        return begin('{');
    }

    public Json endObject() {
        return end('}');
    }

    public Json beginArray() {
        return begin('[');
    }

    public Json endArray() {
        return end(']');
    }

    /** The name of a member, whose value comes next. */
    public Json name(String name) {
        comma();
        text.append(quoted(name)).append(": ");
        follows = false;
        return this;
    }

    /** @param value null is JSON's null */
    public Json value(String value) {
        return put(quoted(value));
    }

    public Json value(long value) {
        return put(String.valueOf(value));
    }

    public Json value(boolean value) {
        return put(String.valueOf(value));
    }

    public String text() {
        return text.toString();
    }

    private Json begin(char c) {
        comma();
        text.append(c);
        follows = false;
        return this;
    }

    private Json end(char c) {
        text.append(c);
        follows = true;
        return this;
    }

    private Json put(String value) {
        comma();
        text.append(value);
        follows = true;
        return this;
    }

    private void comma() {
        if (follows) {
            text.append(", ");
        }
    }

    /** A string (section 7), or null. */
    public static String quoted(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
