package jfs.report;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** What the sources say about the test classes. */
final class Sources {

    /**
     * A class.
     *
     * @param about   the first sentence of its Javadoc in Markdown, may be empty
     * @param methods their names, in the order of the file
     */
    record Type(Path file, String about, List<String> methods) {
    }

    private final Map<String, Type> types = new HashMap<>();

    private Sources() {
    }

    /** Reads the classes in all files below those of these folders that exist. */
    static Sources below(List<Path> folders) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> all = Files.walk(folder)) {
                    all.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
                }
            }
        }
        Sources sources = new Sources();
        if (!files.isEmpty()) {
            sources.read(files);
        }
        return sources;
    }

    /**
     * What is known about the class with this full name. A class that is in none of the files has an empty description, no
     * methods and no file.
     */
    Type of(String name) {
        return types.getOrDefault(name, new Type(null, "", List.of()));
    }

    private void read(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, problem -> { }, List.of("-proc:none"), null,
                    manager.getJavaFileObjectsFromPaths(files));
            DocTrees docs = DocTrees.instance(task);
            task.parse().forEach(unit -> {
                String name = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
                Path file = Path.of(unit.getSourceFile().getName());
                new TreePathScanner<Void, String>() {
                    @Override
                    public Void visitClass(ClassTree type, String prefix) {
                        String name = prefix + type.getSimpleName();
                        List<String> methods = type.getMembers().stream().filter(MethodTree.class::isInstance)
                                .map(method -> ((MethodTree) method).getName().toString()).distinct().toList();
                        DocCommentTree doc = docs.getDocCommentTree(getCurrentPath());
                        types.put(name, new Type(file, firstSentence(doc), methods));
                        return super.visitClass(type, name + "$");
                    }
                }.scan(unit, name);
            });
        }
    }

    private static String firstSentence(DocCommentTree comment) {
        if (comment == null) {
            return "";
        }
        return comment.getFirstSentence().stream().map(Sources::markdown).collect(Collectors.joining())
                .replaceAll("\\s+", " ").strip();
    }

    private static String markdown(DocTree part) {
        if (part instanceof LiteralTree literal) {
            return "`" + literal.getBody().getBody() + "`";
        }
        if (part instanceof LinkTree link) {
            return "`" + link.getReference().getSignature() + "`";
        }
        return part.toString();
    }
}
