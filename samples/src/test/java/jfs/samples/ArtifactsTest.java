package jfs.samples;

import static jfs.samples.Published.elements;
import static jfs.samples.Published.file;
import static jfs.samples.Published.text;
import static jfs.samples.Published.xml;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** The artifacts have what Maven Central asks for, and nobody who takes one gets a library that is inside of it already. */
class ArtifactsTest {

    private static final List<String> JARS = List.of("jfs", "jfs-buffers", "jfs-core", "jfs-native", "netpipe-java");

    @Test
    void theseArePublished() throws Exception {
        Set<String> expected = new TreeSet<>(JARS);
        expected.addAll(List.of("jfs-bom", "jfs-parent"));
        assertEquals(List.copyOf(expected), Published.artifacts());
    }

    /** What these POMs do not have themselves, their parent has. */
    @ParameterizedTest
    @ValueSource(strings = {"jfs", "jfs-bom", "jfs-buffers", "jfs-core", "jfs-native", "netpipe-java", "jfs-parent"})
    void aPomTellsWhatMavenCentralAsksFor(String artifact) throws Exception {
        Element pom = xml(file(artifact, ".pom"));
        Element parent = elements(pom, "parent").isEmpty() ? pom : xml(file("jfs-parent", ".pom"));
        assertNotEquals("", text(pom, "name"));
        assertNotEquals("", text(pom, "description"));
        for (String[] path : new String[][] {{"url"}, {"licenses", "license", "name"}, {"licenses", "license", "url"},
                {"developers", "developer", "name"}, {"scm", "connection"}, {"scm", "developerConnection"}, {"scm", "url"}}) {
            assertNotEquals("", text(parent, path), String.join("/", path));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jfs", "jfs-buffers", "jfs-core", "jfs-native", "netpipe-java"})
    void besideAJarAreItsSourcesItsPagesAndItsContents(String artifact) throws Exception {
        for (String rest : List.of("-sources.jar", "-javadoc.jar")) {
            try (JarFile jar = new JarFile(file(artifact, rest).toFile())) {
                String ending = artifact.equals("jfs-native") ? rest.equals("-sources.jar") ? ".c" : ".md"
                        : rest.equals("-sources.jar") ? ".java" : ".html";
                assertTrue(jar.stream().anyMatch(entry -> entry.getName().endsWith(ending)), rest + " has no " + ending);
            }
        }
        assertTrue(Files.size(file(artifact, "-cyclonedx.json")) > 0);
    }

    /** Whoever depends on an artifact gets what its POM declares, unless that is optional or for tests. */
    @Test
    void onlyTheNativesAndTheBuffersBringAnotherArtifact() throws Exception {
        for (String artifact : JARS) {
            List<String> brought = new ArrayList<>();
            for (Element dependency : elements(xml(file(artifact, ".pom")), "dependencies", "dependency")) {
                if (!text(dependency, "optional").equals("true") && !text(dependency, "scope").equals("test")) {
                    brought.add(text(dependency, "artifactId"));
                }
            }
            boolean needsTheCore = artifact.equals("jfs-native") || artifact.equals("jfs-buffers");
            assertEquals(needsTheCore ? List.of("jfs-core") : List.of(), brought, artifact);
        }
    }

    @Test
    void theBomNamesFilesThatArePublished() throws Exception {
        Element bom = xml(file("jfs-bom", ".pom"));
        Set<String> named = new TreeSet<>();
        for (Element dependency : elements(bom, "dependencyManagement", "dependencies", "dependency")) {
            String artifact = text(dependency, "artifactId");
            String classifier = text(dependency, "classifier");
            String type = text(dependency, "type");
            Path file = file(artifact, (classifier.isEmpty() ? "" : "-" + classifier) + (type.isEmpty() ? ".jar" : "." + type));
            assertTrue(Files.isRegularFile(file), file::toString);
            named.add(artifact);
        }
        assertEquals(new TreeSet<>(JARS), named);
    }

    /** The BOM has no parent, so it repeats these. */
    @Test
    void theBomSaysTheSameAsTheParentOfTheOthers() throws Exception {
        Element bom = xml(file("jfs-bom", ".pom"));
        Element parent = xml(file("jfs-parent", ".pom"));
        for (String name : List.of("groupId", "version", "url", "organization", "licenses", "developers", "scm")) {
            assertEquals(text(parent, name).replaceAll("\\s+", " "), text(bom, name).replaceAll("\\s+", " "), name);
        }
    }

    /** The list of contents (SBOM) names each library that was relocated into a jar, with version and licence. */
    @Test
    void theListOfContentsNamesTheRelocatedLibraries() throws Exception {
        for (String artifact : List.of("jfs", "netpipe-java")) {
            Set<String> relocated = new TreeSet<>();
            try (InputStream jar = Files.newInputStream(file(artifact, ".jar"))) {
                addRelocated(jar, relocated);
            }
            relocated.remove("netpipe"); // which is JFS's own
            assertTrue(relocated.contains("picocli"), artifact + " has " + relocated);
            Set<String> listed = new TreeSet<>();
            for (Element component : elements(xml(file(artifact, "-cyclonedx.xml")), "components", "component")) {
                if (!text(component, "group").equals("org.javafastsockets")) {
                    listed.add(text(component, "name"));
                    assertTrue(text(component, "purl").matches("pkg:maven/.+@\\d.*"), text(component, "purl"));
                    assertNotEquals("", text(component, "version"));
                    assertEquals(1, elements(component, "licenses", "license").size(), text(component, "name"));
                }
            }
            assertEquals(relocated, listed, artifact);
            String json = Files.readString(file(artifact, "-cyclonedx.json"));
            assertAll(listed.stream().map(name -> () -> assertTrue(json.contains("\"name\" : \"" + name + "\""), name)));
        }
    }

    /** Those of a jar, and of the jars in it. */
    private static void addRelocated(InputStream jar, Set<String> to) throws IOException {
        ZipInputStream entries = new ZipInputStream(jar);
        for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
            String[] name = entry.getName().split("/");
            if (name.length > 3 && name[1].equals("shaded")) {
                to.add(name[2]);
            } else if (entry.getName().endsWith(".jar")) {
                addRelocated(entries, to);
            }
        }
    }

    /** Nobody needs to know where it was built; and two builds in different folders are equal. */
    @Test
    void noFileNamesTheFolderOfTheBuild() throws Exception {
        String here = Published.REPOSITORY.getParent().getParent().toString();
        for (String name : List.of("jfs.jar", "jfs-core.jar", "jfs-native-linux-x86-64.jar", "jfs-native-amd64-Linux-gpp-jni.nar")) {
            String artifact = name.replaceFirst("(-linux.*|-amd64.*|)\\.(jar|nar)$", "");
            try (JarFile jar = new JarFile(file(artifact, name.substring(artifact.length())).toFile())) {
                for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                    byte[] content = jar.getInputStream(entry).readAllBytes();
                    assertFalse(new String(content, StandardCharsets.ISO_8859_1).contains(here),
                            name + ": " + entry.getName());
                }
            }
        }
    }
}
