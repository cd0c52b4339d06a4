package jfs.buffers;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jfs.memory.BlockCopies;
import jfs.memory.ElementSequence;
import jfs.memory.ElementType;
import jfs.memory.StreamAccess;

/** The import rules of the module. */
@AnalyzeClasses(packages = "jfs.buffers", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** The packages that the module jfs exports to all. */
    private static final String[] PUBLIC = {"jfs", "jfs.config", "jfs.scilib", "jfs.spi", "jfs.stat", "jfs.streams"};

    /** Of the package that the module jfs exports to this one: the primitive types, copies of blocks, and the memory of typed streams. */
    private static final DescribedPredicate<JavaClass> EXPORTED_TO_THIS_MODULE =
            belongTo(type(BlockCopies.class).or(type(ElementType.class)).or(type(ElementSequence.class)).or(type(StreamAccess.class)));

    @ArchTest
    static final ArchRule onlyWhatTheCoreExportsIsUsed = noClasses().should().dependOnClassesThat(
            resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.buffers..")).and(resideOutsideOfPackages(PUBLIC))
                    .and(not(EXPORTED_TO_THIS_MODULE)));

    /** So one class decides on how long a buffer of a stream's memory is used. */
    @ArchTest
    static final ArchRule memoryIsSeenByOneClass = noClasses().that().doNotHaveSimpleName("LayoutCopies")
            .should().dependOnClassesThat(type(StreamAccess.class));

    @ArchTest
    static final ArchRule poolsKnowOnlyHowASettingIsDeclared = noClasses().that().resideInAPackage("jfs.buffers.pool")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.buffers.pool", "jfs.spi")));
}
