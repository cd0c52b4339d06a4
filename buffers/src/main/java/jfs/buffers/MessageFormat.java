package jfs.buffers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where everything lies in a message, in memory and on the wire. The <em>static</em> section has the prefix and the sections one behind
 * the other, in direct memory, as they are sent. The <em>dynamic</em> section has serialized objects. It follows the static one on the
 * wire. Offsets in bytes.
 *
 * <pre>
 *       0 +------------+---------------------------------------------------------------------------
 *         | MAGIC      | short  4A 4D
 *         | VERSION    | byte   1
 *         |            | byte   0
 *       4 | STATIC     | int    bytes of all sections behind the prefix, a multiple of 8
 *       8 | DYNAMIC    | int    bytes of the dynamic section
 *      12 | SECTIONS   | int    number of sections
 *      16 +------------+---------------------------------------------------------------------------
 *         | a section  | at a multiple of 8
 *         +------------+---------------------------------------------------------------------------
 *         | a section  |
 *         +------------+---------------------------------------------------------------------------
 *
 *   a section
 *       0 +------------+---------------------------------------------------------------------------
 *         | TYPE       | byte   1 byte, 2 short, 3 char, 4 int, 5 long, 6 float, 7 double, 8 boolean, 9 object
 *         | ORDER      | byte   0 big-endian, 1 little-endian: of COUNT and the elements, or of LENGTH
 *         |            | short  0
 *       4 | COUNT      | int    number of elements
 *       8 +------------+---------------------------------------------------------------------------
 *         | elements   | without gaps; so each lies at a multiple of its size. Of objects instead:
 *         | or LENGTH  | int    bytes of this section's objects in the dynamic section
 *         | padding    | zeros, up to a multiple of 8
 *         +------------+---------------------------------------------------------------------------
 * </pre>
 *
 * <p>The words of the prefix are big-endian always. The objects of one section are one stream of {@link java.io.ObjectOutputStream}; these
 * streams lie in the dynamic section one behind the other, in the order of the sections. A receiver refuses other values than those drawn,
 * but it does not look at padding.
 */
final class MessageFormat {

    static final int PREFIX = 16;
    static final int STATIC = 4;
    static final int DYNAMIC = 8;
    static final int SECTIONS = 12;

    /** MAGIC and VERSION, and the zero behind them. */
    private static final int BEGIN = 0x4A4D0100;

    /** Relative to a section. */
    static final int ORDER = 1;
    static final int COUNT = 4;
    static final int HEADER = 8;

    static final int BIG = 0;
    static final int LITTLE = 1;

    /** The least bytes of a stream of objects: its header. Each object has at least one byte more. */
    private static final int OBJECTS_HEADER = 4;

    private MessageFormat() {
    }

    static int code(ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? BIG : LITTLE;
    }

    static ByteOrder order(int code) {
        return code == BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** The next multiple of 8. */
    static long padded(long bytes) {
        return bytes + 7 & ~7L;
    }

    /** The bytes of a section behind its header, with padding. */
    static long body(BasicType<?> type, int count) {
        return type == BasicType.OBJECT ? 8 : padded((long) count * type.bytes());
    }

    static void putPrefix(ByteBuffer big, int staticBytes, int dynamicBytes, int sections) {
        big.putInt(0, BEGIN);
        big.putInt(STATIC, staticBytes);
        big.putInt(DYNAMIC, dynamicBytes);
        big.putInt(SECTIONS, sections);
    }

    static void putHeader(ByteBuffer memory, int at, BasicType<?> type, int count) {
        memory.put(at, (byte) type.code());
        memory.put(at + ORDER, (byte) code(memory.order()));
        memory.putShort(at + 2, (short) 0);
        memory.putInt(at + COUNT, count);
    }

    /**
     * @param big the prefix, big-endian
     * @param most the bytes that the receiver allows for a message
     */
    static void checkPrefix(ByteBuffer big, int most) throws MalformedMessageException {
        if (big.getInt(0) != BEGIN) {
            throw new MalformedMessageException(String.format("a message begins with %08x; allowed is %08x", big.getInt(0), BEGIN));
        }
        int staticBytes = big.getInt(STATIC);
        int dynamicBytes = big.getInt(DYNAMIC);
        if (staticBytes < 0 || staticBytes % 8 != 0) {
            throw new MalformedMessageException("STATIC is " + staticBytes + "; allowed is 0 and more, multiples of 8");
        }
        if (dynamicBytes < 0) {
            throw new MalformedMessageException("DYNAMIC is " + dynamicBytes + "; allowed is 0 and more");
        }
        if ((long) PREFIX + staticBytes + dynamicBytes > most) {
            throw new MalformedMessageException("the message has " + ((long) PREFIX + staticBytes + dynamicBytes)
                    + " bytes; this receiver allows " + most);
        }
    }

    /**
     * Looks at the headers of all sections of a message that was received, so that no later read meets a wrong one.
     *
     * @param memory the message in each byte order, big-endian first
     */
    static void checkSections(ByteBuffer[] memory) throws MalformedMessageException {
        int end = PREFIX + memory[BIG].getInt(STATIC);
        int dynamicLeft = memory[BIG].getInt(DYNAMIC);
        int sections = 0;
        for (int at = PREFIX; at < end; sections++) {
            BasicType<?> type = BasicType.ofCode(memory[BIG].get(at));
            int order = memory[BIG].get(at + ORDER);
            if (type == null) {
                throw wrong(sections, "TYPE", memory[BIG].get(at), "1 to 9");
            }
            if (order != BIG && order != LITTLE) {
                throw wrong(sections, "ORDER", order, "0 and 1");
            }
            if (memory[BIG].getShort(at + 2) != 0) {
                throw wrong(sections, "the short at 2", memory[BIG].getShort(at + 2), "0");
            }
            int count = memory[order].getInt(at + COUNT);
            int left = end - at - HEADER;
            if (count < 0 || body(type, count) > left) {
                throw wrong(sections, "COUNT", count, "as many elements of the type " + type + " as the " + left
                        + " bytes up to the message's end have room for");
            }
            if (type == BasicType.OBJECT) {
                int length = memory[order].getInt(at + HEADER);
                if (length < OBJECTS_HEADER || length > dynamicLeft) {
                    throw wrong(sections, "LENGTH", length, OBJECTS_HEADER + " to " + dynamicLeft);
                }
                if (count > length - OBJECTS_HEADER) {
                    throw wrong(sections, "COUNT", count, "0 to " + (length - OBJECTS_HEADER) + ", since LENGTH is " + length);
                }
                dynamicLeft -= length;
            }
            at += HEADER + (int) body(type, count);
        }
        if (sections != memory[BIG].getInt(SECTIONS)) {
            throw new MalformedMessageException("SECTIONS is " + memory[BIG].getInt(SECTIONS) + "; allowed is " + sections
                    + ", since the message has that many");
        }
        if (dynamicLeft != 0) {
            throw new MalformedMessageException("DYNAMIC is " + memory[BIG].getInt(DYNAMIC) + "; allowed is "
                    + (memory[BIG].getInt(DYNAMIC) - dynamicLeft) + ", the sum of the LENGTHs of all sections");
        }
    }

    private static MalformedMessageException wrong(int section, String field, int value, String allowed) {
        return new MalformedMessageException(field + " of section " + section + " is " + value + "; allowed is " + allowed);
    }
}
