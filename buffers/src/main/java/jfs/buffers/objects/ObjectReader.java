package jfs.buffers.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

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

    /**
     * As {@link ObjectInputStream#resolveProxyClass}, with the context class loader in the place of the latest user-defined loader, if it
     * finds all interfaces. If an interface is not public, the proxy class belongs to that interface's loader, as there.
     */
    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
        Class<?>[] found = loader == null ? null : find(interfaces);
        if (found == null) {
            return super.resolveProxyClass(interfaces);
        }
        ClassLoader definer = loader;
        boolean allPublic = true;
        for (Class<?> each : found) {
            if (!Modifier.isPublic(each.getModifiers())) {
                if (!allPublic && definer != each.getClassLoader()) {
                    throw new IllegalAccessError("two interfaces that are not public are of two class loaders: " + definer + " and "
                            + each.getClassLoader());
                }
                definer = each.getClassLoader();
                allPublic = false;
            }
        }
        return proxyClass(definer, found);
    }

    /** @return null if the context class loader does not find one of them */
    private Class<?>[] find(String[] interfaces) {
        Class<?>[] found = new Class<?>[interfaces.length];
        try {
            for (int i = 0; i < found.length; i++) {
                found[i] = Class.forName(interfaces[i], false, loader);
            }
            return found;
        } catch (ClassNotFoundException e) {
            return null; // a proxy class needs one loader that finds all of its interfaces: the other loader may
        }
    }

    /** Deprecated, because a program can't make objects of some proxy classes. ObjectInputStream can, and it calls this method too. */
    @SuppressWarnings("deprecation")
    private static Class<?> proxyClass(ClassLoader definer, Class<?>[] interfaces) throws ClassNotFoundException {
        try {
            return Proxy.getProxyClass(definer, interfaces);
        } catch (IllegalArgumentException e) {
            throw new ClassNotFoundException("no proxy class: " + e.getMessage(), e);
        }
    }
}
