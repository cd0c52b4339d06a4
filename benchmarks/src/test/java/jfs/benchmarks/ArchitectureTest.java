package jfs.benchmarks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;

/** The import rules: which package may depend on which. */
@AnalyzeClasses(packages = {"jfs.benchmarks", "workloads"}, importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String MEASURED = "workloads..";

    /** A package may use only those that stand after it. */
    private static final String[] FROM_TOP_TO_BOTTOM = {
        "jfs.benchmarks", "jfs.benchmarks.commands", "jfs.benchmarks.builds", "jfs.benchmarks.measurements", "jfs.benchmarks.results",
        "jfs.benchmarks.report", "jfs.benchmarks.statistics", "jfs.benchmarks.programs", "jfs.benchmarks.processes",
        "jfs.benchmarks.output", MEASURED
    };

    @ArchTest
    static final ArchRule eachClassIsInOneOfThesePackages = classes().should().resideInAnyPackage(FROM_TOP_TO_BOTTOM);

    @ArchTest
    static void importsGoDownOnly(JavaClasses all) {
        for (int i = 1; i < FROM_TOP_TO_BOTTOM.length; i++) {
            String[] above = Arrays.copyOf(FROM_TOP_TO_BOTTOM, i);
            noClasses().that().resideInAPackage(FROM_TOP_TO_BOTTOM[i]).should().dependOnClassesThat().resideInAnyPackage(above).check(all);
        }
    }

    /**
     * What measures starts JFS as its users do. Of JFS's interfaces programs use only the queues, the typed streams, the preferences, and
     * what jfs-buffers has.
     */
    @ArchTest
    static final ArchRule onlyTheseInterfacesAreLinkedWithJfs = noClasses()
            .that().resideOutsideOfPackages("workloads.queues", "workloads.arrays", "workloads.preferences", "workloads.buffers",
                    "workloads.layouts")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.benchmarks..")));

    @ArchTest
    static final ArchRule theQueuesUseNothingElseOfJfs = noClasses().that().resideInAPackage("workloads.queues")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.scilib")));

    @ArchTest
    static final ArchRule theBuffersUseOnlyThePools = noClasses().that().resideInAPackage("workloads.buffers")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs.buffers.pool")));

    @ArchTest
    static final ArchRule theArraysUseOnlyTheTypedStreams = noClasses().that().resideInAPackage("workloads.arrays")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs", "jfs.streams")));

    @ArchTest
    static final ArchRule thePreferencesUseNothingElseOfJfs = noClasses().that().resideInAPackage("workloads.preferences")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs")));

    @ArchTest
    static final ArchRule theLayoutsUseMessagesAndTypedStreams = noClasses().that().resideInAPackage("workloads.layouts")
            .should().dependOnClassesThat(resideInAPackage("jfs..").and(resideOutsideOfPackages("jfs", "jfs.streams", "jfs.buffers")));

    /** Each program is measured alone. They share only what stands in {@code workloads} itself. */
    @ArchTest
    static final ArchRule measuredProgramsDoNotKnowEachOther = slices().matching("workloads.(*)..").should().notDependOnEachOther();
}
