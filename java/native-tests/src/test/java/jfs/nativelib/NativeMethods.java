package jfs.nativelib;

import static jfs.nativelib.NativeCalls.is;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import jfs.nativelib.NativeCalls.Call;

/**
 * Calls each native method of JFS, with arguments that it accepts and with arguments that it must refuse, and writes
 * "done". It runs in a JVM that checks its native methods. Its one argument is the folder of the natives.
 */
final class NativeMethods {

    private NativeMethods() {
    }

    /** All native methods. The JVM would not check a method that is not called here. */
    private static Set<String> declared() throws ClassNotFoundException {
        Set<String> all = new TreeSet<>();
        for (String type : new String[] {"Blocks", "Jvm", "Mx", "Posix", "Sisci", "Words"}) {
            Stream.of(Class.forName("jfs.nativelib." + type).getDeclaredMethods())
                    .filter(method -> Modifier.isNative(method.getModifiers()))
                    .forEach(method -> all.add(type + "." + method.getName()));
        }
        return all;
    }

    /** Another class loader already has the natives from this file. JFS must report that, and nothing else may happen. */
    private static void twoClassLoaders(Path natives) throws Exception {
        URL classes = NativeLibrary.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader other = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Class<?> library = other.loadClass(NativeLibrary.class.getName());
            library.getMethod("lookIn", Path.class, String.class, String.class).invoke(null, natives, "shim", "shim");
            String reason = (String) library.getMethod("unavailable").invoke(null);
            is(true, reason.contains("already loaded in another classloader"));
            try {
                other.loadClass(Posix.class.getName()).getMethod("effectiveUser").invoke(null);
                throw new AssertionError("another class loader's natives were called");
            } catch (InvocationTargetException e) {
                is(UnsatisfiedLinkError.class, e.getCause().getClass());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path natives = Path.of(arguments[0]);
        NativeLibrary.lookIn(natives, "shim", "shim");
        is(null, NativeLibrary.unavailable());
        Map<String, Call> calls = new TreeMap<>();
        calls.putAll(BlocksMethods.calls());
        calls.put("Jvm.trustedLookup", () -> is(true, Jvm.trustedLookup() instanceof MethodHandles.Lookup));
        calls.putAll(MxMethods.calls(natives));
        calls.putAll(PosixMethods.calls());
        calls.putAll(SisciMethods.calls(natives));
        calls.putAll(WordsMethods.calls());
        is(declared(), calls.keySet());
        for (Map.Entry<String, Call> call : calls.entrySet()) {
            try {
                call.getValue().make();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(call.getKey(), e);
            }
        }
        twoClassLoaders(natives);
        System.out.println("done");
    }
}
