package jfs;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import jfs.nativelib.Mx;
import jfs.nativelib.Sisci;
import jfs.scilib.MessageQueues;
import jfs.spi.FastPath;
import jfs.spi.TransportProvider;
import jfs.threads.ServiceThreads;
import jfs.transport.BuiltIn;
import jfs.transport.tcp.JdkAccess;

/** The import rules: which package may depend on which. */
@AnalyzeClasses(packages = "jfs", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule memoryIsOrderedInOneRoom = noClasses().that().resideOutsideOfPackage("jfs.memory")
            .should().dependOnClassesThat().areAssignableTo(VarHandle.class)
            .orShould().callMethodWhere(target(owner(assignableTo(Buffer.class)))
                    .and(target(nameMatching("as(Char|Short|Int|Long|Float|Double)Buffer"))));

    /** {@link JdkAccess} uses it to read one field of the JDK. */
    @ArchTest
    static final ArchRule unsafeIsForOneClass = noClasses().that().doNotHaveFullyQualifiedName(JdkAccess.class.getName())
            .should().dependOnClassesThat().haveFullyQualifiedName("sun.misc.Unsafe");

    @ArchTest
    static final ArchRule nativeMethodsAreDeclaredInOneRoom = methods().that().haveModifier(JavaModifier.NATIVE)
            .should().beDeclaredInClassesThat().resideInAPackage("jfs.nativelib");

    /** {@link ServiceThreads} makes all threads, so no thread keeps an application's classes loaded. */
    @ArchTest
    static final ArchRule threadsAreMadeInOnePlace = noClasses()
            .that().doNotHaveFullyQualifiedName(ServiceThreads.class.getName())
            .should().callConstructorWhere(target(owner(assignableTo(Thread.class))))
            .orShould().callMethod(Runtime.class, "addShutdownHook", Thread.class);

    @ArchTest
    static final ArchRule memoryKnowsTheKernel = knowsOnly("jfs.memory", "jfs.nativelib", "jfs.spi");

    /** What the table shows comes from above. */
    @ArchTest
    static final ArchRule theTableKnowsNoSockets = knowsOnly("jfs.monitor", "jfs.memory", "jfs.nativelib", "jfs.spi");

    /** Typed streams are one more view of a connection. They know no transport, and decide nothing about where bytes go. */
    @ArchTest
    static final ArchRule streamsKnowConnections = knowsOnly("jfs.streams", "jfs.connection", "jfs.memory", "jfs.spi");

    @ArchTest
    static final ArchRule nativelibKnowsNobody = knowsOnly("jfs.nativelib");

    @ArchTest
    static final ArchRule threadsKnowTheKernel = knowsOnly("jfs.threads", "jfs.nativelib");

    @ArchTest
    static final ArchRule procfsKnowsNobody = knowsOnly("jfs.procfs");

    @ArchTest
    static final ArchRule spiKnowsNobody = knowsOnly("jfs.spi");

    @ArchTest
    static final ArchRule configKnowsOnlyWhatTransportsDeclare = knowsOnly("jfs.config", "jfs.spi");

    @ArchTest
    static final ArchRule stepsKnowNobody = knowsOnly("jfs.steps");

    /** So the ring can be tested without sockets, and proved without waiting. Of jfs.spi it knows the words at which a thread sleeps. */
    @ArchTest
    static final ArchRule theRingIsPure = knowsOnly("jfs.ring", "jfs.memory", "jfs.spi", "jfs.steps");

    /** The package serves sockets and message queues, and depends on neither. */
    @ArchTest
    static final ArchRule sisciKnowsNoUser =
            knowsOnly("jfs.sisci", "jfs.memory", "jfs.nativelib", "jfs.spi", "jfs.steps", "jfs.threads", "jfs.wait");

    @ArchTest
    static final ArchRule mxKnowsNoUser = knowsOnly("jfs.mx", "jfs.nativelib", "jfs.spi", "jfs.steps", "jfs.threads", "jfs.wait");

    @ArchTest
    static final ArchRule queuesKnowNoSockets = knowsOnly(
            "jfs.scilib", "jfs.config", "jfs.memory", "jfs.nativelib", "jfs.ring", "jfs.sisci", "jfs.spi", "jfs.transport",
            "jfs.threads", "jfs.wait");

    /** A transport is a plug: JFS knows it by its {@link TransportProvider} only. */
    @ArchTest
    static final ArchRule theCoreKnowsNoTransport = noClasses()
            .that().resideInAnyPackage("jfs", "jfs.config", "jfs.connection..", "jfs.negotiation..", "jfs.spi", "jfs.stat")
            .should().dependOnClassesThat().resideInAnyPackage(
                    "jfs.transport.sci..", "jfs.transport.mx..", "jfs.sisci", "jfs.mx", "jfs.ring", "jfs.memory")
            .orShould().dependOnClassesThat().belongToAnyOf(Sisci.class, Mx.class);

    @ArchTest
    static final ArchRule theTransportsOfJfsAreNamedInOnePlace = noClasses()
            .that().doNotBelongToAnyOf(BuiltIn.class, SocketEnvironment.class, MessageQueues.class)
            .should().dependOnClassesThat().belongToAnyOf(BuiltIn.class);

    @ArchTest
    static final ArchRule statKnowsNoSockets = noClasses().that().resideInAPackage("jfs.stat")
            .should().dependOnClassesThat().resideInAnyPackage("jfs", "jfs.transport..", "jfs.negotiation..");

    @ArchTest
    static final ArchRule transportsDoNotKnowEachOther =
            slices().matching("jfs.transport.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule transportsKnowNoPolicy = noClasses().that().resideInAPackage("jfs.transport..")
            .should().dependOnClassesThat().resideInAnyPackage("jfs", "jfs.connection", "jfs.negotiation..", "jfs.config");

    @ArchTest
    static final ArchRule negotiationKnowsNoTransport = noClasses().that().resideInAPackage("jfs.negotiation..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("jfs", "jfs.connection", "jfs.transport..", "jfs.ring", "jfs.memory", "jfs.mx");

    /** The sockets of {@code java.net} are one kind of program's view of a connection. Another kind can be put beside it. */
    @ArchTest
    static final ArchRule connectionKnowsNoSockets = noClasses().that().resideInAPackage("jfs.connection")
            .should().dependOnClassesThat().resideInAnyPackage("jfs", "jfs.transport.sci", "jfs.transport.mx", "jfs.ring", "jfs.memory");

    /** What becomes of a connection's bytes is decided in one package. */
    @ArchTest
    static final ArchRule socketsKnowNoPath = noClasses().that().resideInAPackage("jfs")
            .should().dependOnClassesThat().areAssignableTo(FastPath.class);

    /** The policy says what a connection may use. It does not know how the two ends agree on that. */
    @ArchTest
    static final ArchRule policyKnowsNoHandshake = noClasses().that().resideInAPackage("jfs.negotiation.policy")
            .should().dependOnClassesThat().resideInAnyPackage("jfs.negotiation", "jfs.negotiation.handshake..");

    /** A third kind of control connection can then be added beside the two that there are. */
    @ArchTest
    static final ArchRule offersKnowNoControlConnection = noClasses().that().resideInAPackage("jfs.negotiation.handshake")
            .should().dependOnClassesThat().resideInAnyPackage("jfs.negotiation", "jfs.negotiation.handshake.*");

    @ArchTest
    static final ArchRule controlConnectionsDoNotKnowEachOther =
            slices().matching("jfs.negotiation.handshake.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule noCycles = slices().matching("(**)").should().beFreeOfCycles();

    /** Of JFS's packages, {@code own} may depend only on itself and the others. */
    private static ClassesShouldConjunction knowsOnly(String own, String... others) {
        return classes().that().resideInAPackage(own).should().onlyDependOnClassesThat(
                resideOutsideOfPackages("jfs..").or(resideInAPackage(own)).or(resideInAnyPackage(others)));
    }
}
