package jfs.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Builds {@code jfs.jar} of a commit in a folder of its own, a git worktree, which is removed when this is closed, and when the JVM ends
 * before. The jar is kept for the next time.
 */
final class CommitBuild implements AutoCloseable {
    private static final Duration GIT_LIMIT = Duration.ofSeconds(60);
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(30);
    private static final long END_SECONDS = 10;

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
     * @param name of a commit, as git takes it
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
                if (git.lines().isEmpty()) { // it has nothing to say but that there is none
                    return null;
                }
                throw e;
            }
            return new CommitBuild(repository, lines.get(0));
        }
    }

    /** As many digits as people read. */
    String shortName() {
        return commit.substring(0, 9);
    }

    /** The jar, built now if it has not been before. @param kept folder of the jars */
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
        Path whole = Files.copy(folder.resolve("dist").resolve("jfs.jar"), kept.resolve(commit + ".new"));
        Files.move(whole, jar);
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

    /** The folder, once nothing writes to it any more. */
    private synchronized void remove() {
        if (folder == null) {
            return;
        }
        try {
            if (build != null) {
                build.end(END_SECONDS);
            }
            // No Child: at the end of this JVM none is started any more.
            new ProcessBuilder("git", "-C", repository.toString(), "worktree", "remove", "--force", folder.toString())
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                    .waitFor(END_SECONDS, TimeUnit.SECONDS);
            Files.deleteIfExists(folder); // it was empty if git has not come to it
            folder = null;
        } catch (IOException e) {
            System.err.println("can't remove " + folder + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running, or has run.
        }
    }
}
