package jfs.launcher;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import jfs.nativelib.OwnFiles;
import jfs.transport.tcp.JdkAccess;

/**
 * Reads {@code MethodHandles.Lookup.IMPL_LOOKUP} by an agent; otherwise the native library would have to fetch it. The
 * package of that class is opened only to a module that is made for this one read. So a program that runs on JFS finds the
 * JDK as closed as without JFS.
 */
final class TrustedLookup implements JdkAccess.Giver {

    private final Instrumentation instrumentation;

    TrustedLookup(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    @Override
    public MethodHandles.Lookup trustedLookup() throws ReflectiveOperationException {
        Class<?> reader = new ReaderLoader().reader();
        instrumentation.redefineModule(Object.class.getModule(), Set.of(), Map.of(),
                Map.of(MethodHandles.Lookup.class.getPackageName(), Set.of(reader.getModule())), Set.of(), Map.of());
        MethodHandles.Lookup lookup = (MethodHandles.Lookup) reader.getMethod("read").invoke(null);
        allowNatives(lookup);
        return lookup;
    }

    /**
     * Allows native code on the class path without a warning. Since JDK 24 (JEP 472) its first use prints a warning, and is
     * allowed from then on. A JVM that was told to deny native access goes on denying it.
     */
    private static void allowNatives(MethodHandles.Lookup lookup) {
        try {
            Class<?> bootstrap = Class.forName("jdk.internal.module.ModuleBootstrap");
            Class<?> mode = Class.forName("jdk.internal.module.ModuleBootstrap$IllegalNativeAccess");
            Object told = lookup.findStatic(bootstrap, "illegalNativeAccess", MethodType.methodType(mode)).invoke();
            if (!told.toString().equals("DENY")) {
                lookup.findStatic(Module.class, "implAddEnableNativeAccessToAllUnnamed",
                        MethodType.methodType(void.class)).invoke();
            }
        } catch (ReflectiveOperationException e) {
            // This JDK does not warn, or it warns in another way. Then the only effect is a warning.
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A class loader that defines only the {@link Reader}, so that this class is in a module of its own. */
    private static final class ReaderLoader extends ClassLoader {

        ReaderLoader() {
            super(null);
        }

        Class<?> reader() throws ClassNotFoundException {
            String name = Reader.class.getName();
            try {
                byte[] code = OwnFiles.read(Reader.class, "TrustedLookup$Reader.class");
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Reads the field. Used only as a class that a {@link ReaderLoader} has defined. */
    public static final class Reader {

        private Reader() {
        }

        /** Called by reflection. */
        public static MethodHandles.Lookup read() throws ReflectiveOperationException {
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            field.setAccessible(true);
            return (MethodHandles.Lookup) field.get(null);
        }
    }
}
