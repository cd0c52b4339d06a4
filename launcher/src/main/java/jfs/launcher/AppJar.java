package jfs.launcher;

import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import jfs.transport.tcp.JdkAccess;

/**
 * A program's jar, treated as {@code java -jar} treats it. This class obeys the manifest's Launcher-Agent-Class,
 * Add-Exports, Add-Opens and Enable-Native-Access, in that order. The class loader handles Class-Path, Multi-Release and
 * the rest.
 */
final class AppJar {

    private final String name;
    private final String mainClass;
    private final Attributes manifest;

    private AppJar(String name, String mainClass, Attributes manifest) {
        this.name = name;
        this.mainClass = mainClass;
        this.manifest = manifest;
    }

    /** The name of the file, as given. */
    String name() {
        return name;
    }

    String mainClass() {
        return mainClass;
    }

    /** Makes the jar the class path. Runs no code of the program. */
    static AppJar open(String name) throws LauncherException {
        Attributes manifest = manifest(name);
        String mainClass = manifest.getValue(Attributes.Name.MAIN_CLASS);
        if (mainClass == null) {
            throw new LauncherException("no main manifest attribute, in " + name);
        }
        if (manifest.getValue("JavaFX-Application-Class") != null) {
            throw new LauncherException(name + " is a JavaFX application: " + useAgent(name));
        }
        if (JdkAccess.unavailable() != null) {
            throw new LauncherException("-jar can't work here (" + JdkAccess.unavailable() + "): " + useAgent(name));
        }
        SystemClassPath.addJar(name);
        return new AppJar(name, mainClass.trim(), manifest);
    }

    void obeyManifest() throws LauncherException {
        try {
            obey();
        } catch (LauncherException e) {
            throw e;
        } catch (Throwable e) {
            throw new LauncherException("the manifest of " + name + " can't be obeyed here (" + e + "): "
                    + useAgent(name));
        }
    }

    private static Attributes manifest(String name) throws LauncherException {
        try (JarFile jar = new JarFile(name)) {
            Manifest manifest = jar.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        } catch (IOException e) {
            throw new LauncherException("unable to access jarfile " + name
                    + (new File(name).exists() ? ": " + e.getMessage() : ""));
        }
    }

    private static String useAgent(String name) {
        return "use java -javaagent:" + OwnJar.path() + " -jar " + name;
    }

    private void obey() throws Throwable {
        if (manifest.getValue("Launcher-Agent-Class") != null
                && ModuleLayer.boot().findModule("java.instrument").isPresent()) { // without that module, java ignores the attribute too
            JdkAccess.lookup().findStatic(Class.forName("sun.instrument.InstrumentationImpl"), "loadAgent",
                    MethodType.methodType(void.class, String.class)).invoke(name);
        }
        open(manifest.getValue("Add-Exports"), "implAddExportsToAllUnnamed");
        open(manifest.getValue("Add-Opens"), "implAddOpensToAllUnnamed");
        String natives = manifest.getValue("Enable-Native-Access");
        if (natives != null && Runtime.version().feature() >= 22) { // JEP 454; older JDKs don't know the attribute
            if (!natives.equals("ALL-UNNAMED")) {
                throw new LauncherException("illegal value \"" + natives + "\" for Enable-Native-Access"
                        + " in the manifest of " + name + "; only ALL-UNNAMED is allowed");
            }
            JdkAccess.lookup().findStatic(Module.class, "implAddEnableNativeAccessToAllUnnamed",
                    MethodType.methodType(void.class)).invoke();
        }
    }

    /** Skips entries that it doesn't understand, and packages that it doesn't find, as the java command does. */
    private static void open(String packages, String how) throws Throwable {
        if (packages == null) {
            return;
        }
        for (String each : packages.split(" ")) {
            String[] parts = each.trim().split("/");
            Module module = parts.length == 2 ? ModuleLayer.boot().findModule(parts[0]).orElse(null) : null;
            if (module != null && module.getPackages().contains(parts[1])) {
                JdkAccess.lookup().findVirtual(Module.class, how, MethodType.methodType(void.class, String.class))
                        .invoke(module, parts[1]);
            }
        }
    }
}
