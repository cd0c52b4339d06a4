package jfs.buffers.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Reads the objects of one section. It looks for a class where the thread's context class loader finds it, and then where {@link
 * ObjectInputStream} does: in an application server, or a program with plug-ins, this library's own loader does not know the classes of
 * the program that reads. Loading a class runs none of its code. The filter decides before an object is made.
 */
public final class ObjectReader extends ObjectInputStream {

    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /**
     * @param program what the program allows beside values; null: nothing
     * @param bytes the length of the stream
     */
    public ObjectReader(InputStream in, ObjectInputFilter program, int bytes) throws IOException {
        super(in);
        setObjectInputFilter(ObjectFilters.of(program, bytes));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
        if (loader != null) {
            try {
                return Class.forName(described.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                // the other loader may know it; primitive types have names that no loader knows
            }
        }
        return super.resolveClass(described);
    }
}
