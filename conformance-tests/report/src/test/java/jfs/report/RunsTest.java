package jfs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from the reports of the tests. */
class RunsTest {

    @TempDir
    private Path folder;

    private void report(String path, String text) throws IOException {
        Path file = folder.resolve("17").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private List<TestRun> read() throws IOException {
        return Runs.in(folder).get("17");
    }

    @Test
    void aTestOfCtestsHasItsNameOnceAndSaysInItsLastLineWhyItSkippedItself() throws IOException {
        report("native/target/ctest.xml", """
                <testsuite name="Linux-c++">
                  <testcase name="mx.test" classname="mx.test" time="0.5" status="run">
                    <properties/>
                    <system-out>all is well</system-out>
                  </testcase>
                  <testcase name="mx.probe" classname="mx.probe" time="0.25" status="notrun">
                    <skipped message="SKIP_RETURN_CODE=77"/>
                    <system-out>looking
                there is   no UCX
                </system-out>
                  </testcase>
                </testsuite>
                """);
        assertEquals(List.of(new TestRun("native", "mx.test", Outcome.PASSED, "", 0.5),
                new TestRun("native", "mx.probe", Outcome.SKIPPED, "there is no UCX", 0.25)), read());
    }

    @Test
    void theModuleIsTheFolderAboveTheReports() throws IOException {
        report("conformance-tests/programs/target/surefire-reports/TEST-a.xml",
                "<testsuite name=\"a.ATest\"><testcase name=\"x\" classname=\"a.ATest\" time=\"0\"/></testsuite>");
        assertEquals("conformance-tests/programs", read().get(0).module());
    }

    @Test
    void aTestThatPassedWhenItRanAgainIsUnsteady() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", """
                <testsuite name="a.ATest">
                  <testcase name="x" classname="a.ATest" time="1">
                    <flakyFailure message="at first" type="E"><stackTrace>E: at first</stackTrace><system-out/></flakyFailure>
                  </testcase>
                  <testcase name="y" classname="a.ATest" time="1">
                    <flakyError type="java.io.IOException"><stackTrace/></flakyError>
                  </testcase>
                </testsuite>
                """);
        assertEquals(List.of(new TestRun("m", "a.ATest.x", Outcome.UNSTEADY, "at first", 1),
                new TestRun("m", "a.ATest.y", Outcome.UNSTEADY, "java.io.IOException", 1)), read());
    }

    @Test
    void aTestThatFailedAgainIsNotUnsteady() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", """
                <testsuite name="a.ATest">
                  <testcase name="x" classname="a.ATest" time="1">
                    <failure message="at first"/>
                    <rerunFailure message="again" type="E"><stackTrace/></rerunFailure>
                  </testcase>
                </testsuite>
                """);
        assertEquals(List.of(new TestRun("m", "a.ATest.x", Outcome.FAILED, "at first", 1)), read());
    }

    /** The tests of the class may be in another class's report. */
    @Test
    void anEmptyReportIsLeftOutIfTheTestsAreElsewhere() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", "<testsuite name=\"a.ATest(sci)\"></testsuite>");
        report("m/target/surefire-reports/TEST-b.xml",
                "<testsuite name=\"a.BTest\"><testcase name=\"x\" classname=\"a.ATest(sci)\" time=\"1\"/></testsuite>");
        assertEquals(List.of(new TestRun("m", "a.ATest(sci).x", Outcome.PASSED, "", 1)), read());
    }

    /** This happens when classes run side by side. */
    @Test
    void aTestMayFailInOneReportAndPassInAnother() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", """
                <testsuite name="a.ATest">
                  <testcase name="x" classname="a.ATest" time="60"><failure message="at first"/></testcase>
                  <testcase name="y" classname="a.ATest" time="1"><failure message="y at first"/></testcase>
                </testsuite>
                """);
        report("m/target/surefire-reports/TEST-b.xml", """
                <testsuite name="a.BTest">
                  <testcase name="x" classname="a.ATest" time="1"/>
                  <testcase name="y" classname="a.ATest" time="1"><flakyFailure message="again"/></testcase>
                </testsuite>
                """);
        assertEquals(List.of(new TestRun("m", "a.ATest.x", Outcome.UNSTEADY, "at first", 61),
                new TestRun("m", "a.ATest.y", Outcome.UNSTEADY, "y at first", 2)), read());
    }

    @Test
    void twoEmptyReportsOfOneClassAreOneSkippedTest() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", "<testsuite name=\"a.ATest(sci)\"></testsuite>");
        report("m/target/surefire-reports/TEST-b.xml", "<testsuite name=\"a.ATest(sci)\"></testsuite>");
        assertEquals(List.of(new TestRun("m", "a.ATest(sci)", Outcome.SKIPPED, Runs.NOTHING_RAN, 0)), read());
    }

    @Test
    void whatATestPrintedIsNoElement() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", """
                <testsuite name="a.ATest">
                  <testcase name="" classname="a.ATest" time="1">
                    <error message="all of it"><![CDATA[</testcase><testcase name="no"/>]]></error>
                    <system-out><![CDATA[<failure message="no"/>]]></system-out>
                  </testcase>
                </testsuite>
                """);
        TestRun run = read().get(0);
        assertEquals(List.of(new TestRun("m", "a.ATest.", Outcome.FAILED, "all of it", 1)), read());
        assertEquals("", run.behaviour());
    }

    @Test
    void aDamagedReportIsAFailureBehindWhatCanBeRead() throws IOException {
        report("m/target/surefire-reports/TEST-a.xml", """
                <testsuite name="a.ATest"><testcase name="x" classname="a.ATest" time="1"/><testcase name="y\"""");
        List<TestRun> runs = read();
        assertEquals(new TestRun("m", "a.ATest.x", Outcome.PASSED, "", 1), runs.get(0));
        assertEquals(Outcome.FAILED, runs.get(1).outcome());
        assertTrue(runs.get(1).reason().startsWith("damaged: "), runs.get(1).reason());
    }
}
