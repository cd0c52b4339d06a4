package jfs.benchmarks.builds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;

/**
 * Builds {@code jfs.jar} of a commit in a folder of its own, a git worktree. {@link #close} removes the worktree. If the JVM ends
 * before, a shutdown hook removes it. The jar is kept for the next run.
 */
final class CommitBuild implements AutoCloseable {
    private static final Duration GIT_LIMIT = Duration.ofSeconds(60);
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(30);
    private static final long END_SECONDS = 10;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

    private final Path repository;
    private final String commit;
    private final Thread hook = new Thread(this::remove, "worktree-remover");
    private Path folder;
    private Child build;

    private CommitBuild(Path repository, String commit) {
        this.repository = repository;
        this.commit = commit;
    }

    /**
     * @param name the commit, in any form that git accepts
     * @return null if there is no such commit
     */
    static CommitBuild of(Path repository, String name) throws ChildFailure, InterruptedException {
        List<String> command = List.of("git", "-C", repository.toString(), "rev-parse", "--verify", "--quiet", "--end-of-options",
                name + "^{commit}");
        try (Child git = Child.start("git", command, line -> {})) {
            List<String> lines;
            try {
                lines = git.awaitSuccess(GIT_LIMIT);
            } catch (ChildFailure e) {
                if (git.lines().isEmpty()) { // with --quiet, git prints nothing if there is no such commit
                    return null;
                }
                throw e;
            }
            String commit = lines.isEmpty() ? "" : lines.get(lines.size() - 1); // git may print warnings before it
            if (!HASH.matcher(commit).matches()) {
                throw git.failure("did not tell the commit " + name);
            }
            return new CommitBuild(repository, commit);
        }
    }

    /** The first nine digits of the commit's hash, for messages and folder names. */
    String shortName() {
        return commit.substring(0, 9);
    }

    /** Returns the jar, and builds it first if it is not kept yet. @param kept the folder of the jars */
    Path jar(Path kept, Progress progress) throws ChildFailure, InterruptedException, IOException {
        Path jar = kept.resolve(commit + ".jar");
        if (Files.exists(jar)) {
            return jar;
        }
        Files.createDirectories(kept);
        synchronized (this) {
            Runtime.getRuntime().addShutdownHook(hook);
            folder = Files.createTempDirectory("jfs-" + shortName() + "-");
        }
        progress.now("building " + shortName() + " in " + folder);
        run("git", List.of("git", "-C", repository.toString(), "worktree", "add", "--quiet", "--detach", folder.toString(), commit),
                GIT_LIMIT);
        run("the build of " + shortName(), List.of("sh", "-c", "cd \"$1\" && exec ./jfs jar", "sh", folder.toString()), BUILD_LIMIT);
        Path whole = Files.copy(folder.resolve("dist").resolve("jfs.jar"), kept.resolve(commit + ".new"),
                StandardCopyOption.REPLACE_EXISTING); // there is such a file if an earlier JVM has ended while it copied
        Files.move(whole, jar, StandardCopyOption.ATOMIC_MOVE);
        progress.done("built " + shortName());
        return jar;
    }

    private void run(String name, List<String> command, Duration limit) throws ChildFailure, InterruptedException {
        try (Child child = Child.start(name, command, line -> {})) {
            synchronized (this) {
                build = child;
            }
            child.awaitSuccess(limit);
        }
    }

    /** Ends the build, so that no process writes to the folder any more, and removes the folder. */
    private synchronized void remove() {
        if (folder == null) {
            return;
        }
        try {
            if (build != null) {
                build.end(END_SECONDS);
            }
            // Twice --force: git locks a worktree while it makes it. If git is killed then, the worktree stays locked.
            worktree("remove", "--force", "--force", folder.toString());
            if (Files.exists(folder)) { // git was killed before it registered the folder, or while it worked on the folder
                deleteFolder();
                worktree("remove", "--force", "--force", folder.toString()); // git removes its own record of a missing folder
            }
            String message = worktree("prune");
            if (!message.isEmpty()) {
                throw new IOException(message);
            }
            folder = null;
        } catch (IOException | UncheckedIOException e) {
            System.err.println("can't remove " + folder + ": " + e.getMessage());
            System.err.println("by hand: rm -rf '" + folder + "'; git -C '" + repository + "' worktree prune");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs git without {@link Child}, which starts no process while this JVM ends. @return git's message if it fails; else empty */
    private String worktree(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", repository.toString(), "worktree"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
        if (!git.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            git.destroyForcibly();
            return "git did not end within " + END_SECONDS + " s";
        }
        String says = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.exitValue() == 0 ? "" : "git ended with exit code " + git.exitValue() + " " + says;
    }

    private void deleteFolder() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList(); // a folder's content before the folder
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook is running, or has run.
        }
    }
}
