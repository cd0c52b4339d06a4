package jfs.launcher;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Finds the method of a class that the java command would run. */
final class MainMethod {

    private MainMethod() {
    }

    /** A handle of type {@code (String[])void} that does what the java command does with that class. */
    static MethodHandle of(Class<?> mainClass) throws LauncherException {
        try {
            Method main = Runtime.version().feature() >= 25 ? anyMain(mainClass) : staticMain(mainClass);
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            main.setAccessible(true); // neither the class nor its main need be public
            MethodHandle program = lookup.unreflect(main).asFixedArity();
            if (!Modifier.isStatic(main.getModifiers())) {
                Constructor<?> constructor = constructor(mainClass);
                constructor.setAccessible(true);
                MethodHandle create = lookup.unreflectConstructor(constructor);
                program = MethodHandles.collectArguments(
                        program.asType(program.type().changeParameterType(0, mainClass)), 0, create);
            }
            return main.getParameterCount() == 1 ? program : MethodHandles.dropArguments(program, 0, String[].class);
        } catch (InaccessibleObjectException | IllegalAccessException e) {
            throw new LauncherException("main class " + mainClass.getName() + " is in a package that "
                    + mainClass.getModule() + " keeps closed; java needs --add-opens "
                    + mainClass.getModule().getName() + "/" + mainClass.getPackageName() + "=ALL-UNNAMED");
        } catch (LinkageError e) { // a class that a method of the main class mentions is missing
            throw LauncherException.inJavasWords("Error: Unable to initialize main class " + mainClass.getName()
                    + "\nCaused by: " + e);
        }
    }

    /** Up to JDK 24, main is public, static, void and has the arguments as parameter; it may be inherited. */
    private static Method staticMain(Class<?> mainClass) throws LauncherException {
        Method main = publicMain(mainClass);
        if (main == null || !Modifier.isStatic(main.getModifiers()) || main.getReturnType() != void.class) {
            throw new LauncherException("main class " + mainClass.getName()
                    + " has no main method; this JDK asks for: public static void main(String[] args)");
        }
        return main;
    }

    /** Since JDK 25 (JEP 512), a main with the arguments comes before one without. Either may be static or not, but not private. */
    private static Method anyMain(Class<?> mainClass) throws LauncherException {
        Method main = publicMain(mainClass);
        if (main == null) {
            main = declaredMain(mainClass, String[].class);
        }
        if (!isUsable(main)) {
            main = declaredMain(mainClass);
        }
        if (!isUsable(main)) {
            throw new LauncherException("main class " + mainClass.getName()
                    + " has no main method; this JDK asks for: void main(String[] args) or void main(), not private");
        }
        return main;
    }

    private static boolean isUsable(Method main) {
        return main != null && main.getReturnType() == void.class && !Modifier.isPrivate(main.getModifiers());
    }

    private static Method publicMain(Class<?> mainClass) {
        try {
            return mainClass.getMethod("main", String[].class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** The main method of the class or its nearest superclass, with any access, else the default method of an interface. */
    private static Method declaredMain(Class<?> mainClass, Class<?>... parameters) {
        for (Class<?> c = mainClass; c != null; c = c.getSuperclass()) {
            try {
                return c.getDeclaredMethod("main", parameters);
            } catch (NoSuchMethodException e) {
                // perhaps the superclass has it
            }
        }
        try {
            return mainClass.getMethod("main", parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Constructor<?> constructor(Class<?> mainClass) throws LauncherException {
        try {
            // An inner class has no such constructor: the outer instance is a parameter.
            Constructor<?> constructor = mainClass.getDeclaredConstructor();
            if (!Modifier.isAbstract(mainClass.getModifiers()) && !Modifier.isPrivate(constructor.getModifiers())) {
                return constructor;
            }
        } catch (NoSuchMethodException e) {
            // reported below
        }
        throw new LauncherException("main class " + mainClass.getName() + " has an instance main method, so it must"
                + " be neither abstract nor an inner class and have a constructor without parameters that is not private");
    }
}
