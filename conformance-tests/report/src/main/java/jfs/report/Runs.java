package jfs.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results in the reports of all modules. */
final class Runs {

    static final String NOTHING_RAN = "none of its tests ran";
    /** A file that the script {@code jfs} puts beside the reports if Maven has failed, for whatever reason. */
    static final String MAVEN_FAILED = "maven-failed";

    /** The module whose failed tests make Maven fail. The script {@code jfs} knows this too. */
    private static final String C_TESTS = "native";
    private static final String THE_BUILD = "the build";

    private Runs() {
    }

    /** Whether Maven failed for another reason than a C test: a source that can't be compiled, or a JVM of tests that has crashed. */
    static boolean isBuildBroken(List<TestRun> runs) {
        return runs.stream().anyMatch(run -> run.name().text().equals(THE_BUILD));
    }

    /**
     * @param folder one folder for each JDK, which is named by its number and has the reports at their paths in the project
     * @return the runs of each JDK
     */
    static SortedMap<String, List<TestRun>> in(Path folder) throws IOException {
        SortedMap<String, List<TestRun>> runs = new TreeMap<>();
        try (Stream<Path> jdks = Files.list(folder)) {
            for (Path jdk : jdks.toList()) {
                runs.put(jdk.getFileName().toString(), ofJdk(jdk));
            }
        }
        return runs;
    }

    private static List<TestRun> ofJdk(Path folder) throws IOException {
        List<TestRun> runs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".xml")).sorted().toList()) {
                runs.addAll(JUnitReport.read(moduleOf(folder.relativize(file)), file));
            }
        }
        List<TestRun> once = once(runs);
        boolean cTestFailed = once.stream().anyMatch(run -> run.outcome() == Outcome.FAILED && run.module().equals(C_TESTS));
        if (Files.exists(folder.resolve(MAVEN_FAILED)) && !cTestFailed) { // a failed test in Java does not make Maven fail
            once.add(new TestRun("", THE_BUILD, Outcome.FAILED, "see above", 0));
        } else if (once.isEmpty()) {
            once.add(new TestRun("", "the tests", Outcome.FAILED, "there is no report", 0));
        }
        return once;
    }

    private static String moduleOf(Path report) {
        List<String> names = new ArrayList<>();
        for (Path name : report) {
            if (name.toString().equals("target")) {
                break;
            }
            names.add(name.toString());
        }
        return String.join("/", names);
    }

    /**
     * Merges the runs of each test. Classes may run side by side. Then the second run of a test may be in the report of
     * another class, and a class's own report may be empty.
     */
    private static List<TestRun> once(List<TestRun> runs) {
        Set<String> ran = runs.stream().filter(run -> !isEmptySuite(run)).map(run -> run.name().suite()).collect(Collectors.toSet());
        Map<TestName, TestRun> failures = new HashMap<>();
        Map<TestName, TestRun> passes = new HashMap<>();
        for (TestRun run : runs) {
            switch (run.outcome()) {
                case FAILED -> failures.putIfAbsent(run.name(), run);
                case PASSED, UNSTEADY -> passes.put(run.name(), run);
                default -> { }
            }
        }
        List<TestRun> once = new ArrayList<>();
        for (TestRun run : runs) {
            TestRun failure = failures.get(run.name());
            TestRun pass = passes.get(run.name());
            if (isEmptySuite(run)) {
                if (ran.add(run.name().suite())) {
                    once.add(run);
                }
            } else if (failure == null || pass == null) {
                if (run.outcome() != Outcome.FAILED || run == failure) {
                    once.add(run);
                }
            } else if (run == pass) {
                once.add(pass.after(failure));
            }
        }
        return once;
    }

    private static boolean isEmptySuite(TestRun run) {
        return run.outcome() == Outcome.SKIPPED && run.reason().equals(NOTHING_RAN);
    }
}
