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
 * What an agent can give that the native library would have to fetch otherwise: {@code MethodHandles.Lookup.IMPL_LOOKUP}.
 * Its package is opened to a module made for this one read and for nobody else, so that a program with JFS under it
 * finds the JDK as closed as without.
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
     * Since JDK 24 (JEP 472) the first use of native code on the class path prints a warning and is allowed from then on;
     * here without the warning. A JVM that was told to deny it goes on denying.
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
            // This JDK does not warn, or does it in a way of its own: then a warning is all the harm.
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A loader of one class, for the sake of that class's module. */
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

    /** Only ever used as defined by a {@link ReaderLoader}. */
    public static final class Reader {

        private Reader() {
        }

        /** Called reflectively. */
        public static MethodHandles.Lookup read() throws ReflectiveOperationException {
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            field.setAccessible(true);
            return (MethodHandles.Lookup) field.get(null);
        }
    }
}
