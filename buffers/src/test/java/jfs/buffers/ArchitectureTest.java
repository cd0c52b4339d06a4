package jfs.buffers;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The import rules of the module. */
@AnalyzeClasses(packages = "jfs.buffers", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** The packages that the module jfs exports to all. */
    private static final String[] PUBLIC = {"jfs", "jfs.config", "jfs.scilib", "jfs.spi", "jfs.stat", "jfs.streams"};

    @ArchTest
    static final ArchRule onlyPublicPackagesOfTheCoreAreUsed = noClasses().should().dependOnClassesThat(
            resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.buffers..")).and(resideOutsideOfPackages(PUBLIC)));

    @ArchTest
    static final ArchRule poolsKnowOnlyHowASettingIsDeclared = noClasses().that().resideInAPackage("jfs.buffers.pool")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.buffers.pool", "jfs.spi")));
}
