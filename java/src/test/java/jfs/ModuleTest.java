package jfs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the module {@code jfs} shows to programs. A package is added to this list on purpose: then programs rely on it. */
class ModuleTest {

    private static final Path CLASSES = Path.of("target/classes");
    private static final Set<String> PUBLIC = Set.of("jfs", "jfs.config", "jfs.scilib", "jfs.spi", "jfs.stat", "jfs.streams");

    /** To other modules of JFS only. */
    private static final Map<String, Set<String>> FOR_MODULES_OF_JFS = Map.of("jfs.memory", Set.of("jfs.buffers"), "jfs.nativelib",
            Set.of("jfs.natives.linux.x86_64", "jfs.natives.linux.aarch64"));

    @Test
    void exportsThesePackagesOnly() throws Exception {
        ModuleDescriptor module;
        try (InputStream in = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
        Set<String> toAll = new HashSet<>();
        Map<String, Set<String>> toSome = new TreeMap<>();
        for (ModuleDescriptor.Exports exports : module.exports()) {
            if (exports.isQualified()) {
                toSome.put(exports.source(), exports.targets());
            } else {
                toAll.add(exports.source());
            }
        }
        assertAll(
                () -> assertEquals(PUBLIC, toAll),
                () -> assertEquals(FOR_MODULES_OF_JFS, toSome),
                () -> assertEquals(Set.of(), module.opens()),
                () -> assertEquals(Set.of("java.base"), required(module), "nothing that a small image lacks"));
    }

    /** The modules without which this one can't run; {@code requires static} is for the compiler. */
    private static Set<String> required(ModuleDescriptor module) {
        Set<String> names = new HashSet<>();
        module.requires().stream().filter(it -> !it.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                .forEach(it -> names.add(it.name()));
        return names;
    }

    /** Or a program on the module path could see a method and not call it. */
    @Test
    void whatIsPublicNamesOnlyWhatIsExported() {
        JavaClasses classes = new ClassFileImporter().importPath(CLASSES);
        Set<String> hidden = new TreeSet<>();
        for (JavaClass type : classes) {
            if (!PUBLIC.contains(type.getPackageName()) || !isForPrograms(type)) {
                continue;
            }
            Stream<JavaClass> supertypes = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
            supertypes.filter(ModuleTest::isHidden).forEach(used -> hidden.add(type.getName() + " is a " + used.getName()));
            type.getFields().stream().filter(field -> isForPrograms(field.getModifiers()) && isHidden(field.getRawType()))
                    .forEach(field -> hidden.add(field.getFullName() + ": " + field.getRawType().getName()));
            for (JavaCodeUnit code : type.getCodeUnits()) {
                if (isForPrograms(code.getModifiers())) {
                    Stream.of(List.of(code.getRawReturnType()), code.getRawParameterTypes(), code.getExceptionTypes()).flatMap(List::stream)
                            .filter(ModuleTest::isHidden).forEach(used -> hidden.add(code.getFullName() + ": " + used.getName()));
                }
            }
        }
        assertEquals(Set.of(), hidden);
    }

    private static boolean isForPrograms(JavaClass type) {
        return isForPrograms(type.getModifiers()) && type.getEnclosingClass().map(ModuleTest::isForPrograms).orElse(true);
    }

    private static boolean isForPrograms(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isHidden(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return base.getName().startsWith("jfs.") && !(PUBLIC.contains(base.getPackageName()) && isForPrograms(base));
    }
}
