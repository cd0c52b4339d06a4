package jfs.samples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The repository in a folder to which this build has published its artifacts (profile {@code artifacts}), and its XML files. */
final class Published {

    static final Path REPOSITORY = Path.of(property("samples.repository"));
    static final String VERSION = property("samples.version");

    private Published() {
    }

    static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }

    /** @param rest what follows the version in the file's name, such as "-sources.jar" or ".pom" */
    static Path file(String artifact, String rest) {
        return folder(artifact).resolve(artifact + "-" + VERSION + rest);
    }

    static Path folder(String artifact) {
        return REPOSITORY.resolve("org/javafastsockets").resolve(artifact).resolve(VERSION);
    }

    /** The names of all artifacts that have this version. */
    static List<String> artifacts() throws Exception {
        try (Stream<Path> folders = Files.list(REPOSITORY.resolve("org/javafastsockets"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(artifact -> Files.isRegularFile(file(artifact, ".pom"))).sorted().toList();
        }
    }

    /** The root of an XML file. */
    static Element xml(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    }

    /** The elements that a path of names leads to, child by child. */
    static List<Element> elements(Element root, String... path) {
        List<Element> found = List.of(root);
        for (String name : path) {
            found = found.stream().flatMap(element -> children(element).filter(child -> child.getTagName().equals(name))).toList();
        }
        return found;
    }

    /** The text of the only element that a path leads to; "" if there is none. */
    static String text(Element root, String... path) {
        List<Element> found = elements(root, path);
        return found.size() == 1 ? found.get(0).getTextContent().strip() : "";
    }

    private static Stream<Element> children(Element element) {
        NodeList nodes = element.getChildNodes();
        return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1).map(nodes::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE).map(Element.class::cast);
    }
}
