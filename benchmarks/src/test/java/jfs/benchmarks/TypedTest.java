package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The measurement of typed streams, with a stand-in for the agent: the streams go over the JDK's sockets. */
class TypedTest extends Runs {
    @Test
    void benchMeasuresArraysOfSeveralTypesAndSizes() throws Exception {
        Path plots = folder.resolve("plots");
        assertEquals(
                0, runWithJar("bench", "typed", "--types", "double,int", "--sizes", "8,1048576", "--turns", "2", "--ways",
                        "JDK_BYTES,bytes,DATA,CHUNK,TYPED,CLAIMS,COMPUTED_ARRAY,COMPUTED_CLAIMS", "--out", plots.toString()),
                err::toString);
        String text = out.toString();
        assertTrue(text.contains("double[]:") && text.contains("int[]:"), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *8 +TypedOutput( +\\S+){7}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *1048576 +byte\\[\\], JDK's sockets( +\\S+){7}")), text);
        assertEquals(4, text.lines().filter(line -> line.matches(" *(8|1048576) +byte\\[\\]( +\\S+){7}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.contains(" computed, claims  ")).count(), text); // of double[] only
        assertTrue(text.contains("double[], 1048576 bytes: TypedOutput to DataOutputStream"), text);
        assertTrue(text.contains("double[], 1048576 bytes: computed, claims to an array"), text);
        assertTrue(text.contains("12 of 12 connections over JFS were switched."), text);
        assertTrue(Files.exists(plots.resolve("typed-double-3.png")) && Files.exists(plots.resolve("typed-int-1.png")), text);
        pageHas(5);
    }

    @Test
    void aTypeHasTheWaysThatJavaHasForIt() throws Exception {
        assertEquals(
                0, runWithJar("bench", "typed", "--types", "boolean,char,short", "--sizes", "4096", "--turns", "1", "--ways",
                        "DATA,SIMPLE,WRAP,TYPED,CLAIMS"),
                err::toString);
        String text = out.toString();
        for (String type : new String[] {"boolean[]", "char[]", "short[]"}) {
            assertTrue(text.contains(type + ":"), text);
        }
        assertEquals(3, text.lines().filter(line -> line.matches(" *4096 +channel, simple( +\\S+){5,7}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" *4096 +channel, wrap( +\\S+){5,7}")).count(), text);
        assertTrue(text.contains("No such way for boolean[]: channel, wrap; channel, chunk; channel, hybrid; computed, an array;"), text);
        assertTrue(text.contains("No such way for char[]: computed, an array;"), text);
    }
}
