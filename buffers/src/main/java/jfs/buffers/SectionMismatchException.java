package jfs.buffers;

/**
 * A program reads something else than the message has next: elements of another type, more elements than are left in the section, or a
 * section behind the last one. Nothing was read, and the program may read what {@link SectionReader#nextType} and
 * {@link SectionReader#nextCount} tell.
 */
public class SectionMismatchException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param message what the program wants, and what the message has */
    public SectionMismatchException(String message) {
        super(message);
    }
}
