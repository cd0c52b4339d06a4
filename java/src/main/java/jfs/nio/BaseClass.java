package jfs.nio;

import java.io.FileNotFoundException;
import java.io.IOException;
import jfs.nativelib.OwnFiles;
import jfs.transport.tcp.JdkAccess;

/** Classes of {@code java.base}: finds the JDK's, and defines JFS's. None of them is initialised. */
final class BaseClass {

    /** Where the build puts JFS's: in no folder of classes, because no other module can have their packages. */
    private static final String FILES = "/META-INF/java.base/";

    private BaseClass() {
    }

    static Class<?> of(String name) throws ClassNotFoundException {
        return Class.forName(name, false, null);
    }

    static boolean exists(String name) {
        try {
            of(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Defines a class of JFS.
     *
     * @param beside a class of the same package
     * @throws LinkageError if another JFS has defined it, or if it does not fit this JDK
     */
    static Class<?> define(String name, Class<?> beside) throws IOException, IllegalAccessException {
        String path = FILES + name.replace('.', '/') + ".class";
        byte[] file = OwnFiles.read(BaseClass.class, path);
        if (file == null) {
            throw new FileNotFoundException(path);
        }
        return JdkAccess.lookup().in(beside).defineClass(file);
    }
}
