package jfs.launcher.status;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import jfs.launcher.ClosedProcess;
import jfs.launcher.LauncherException;
import jfs.management.JoinedConnections;
import jfs.monitor.TableReader;
import jfs.procfs.Descriptors;
import jfs.procfs.MappedFiles;
import jfs.procfs.TcpTable;
import jfs.transport.tcp.NettyLibraries;

/**
 * One process that uses JFS, as it is seen from outside at one moment. The process keeps a table of its connections open
 * ({@code jfs.monitor}); this class opens it by {@code /proc/PID/fd}, which the kernel allows for processes of the same user, and to root.
 * A process that has jfs.jar open and no table has made no socket so far. The process is not stopped, and does not notice.
 */
public final class JfsProcess {

    private static final Path PROC = Path.of("/proc");
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]*");
    private static final Pattern TABLE = Pattern.compile("/memfd:jfs-connections \\(deleted\\)|.*/jfs-connections-[0-9]+ \\(deleted\\)");
    private static final Pattern JAR = Pattern.compile(".*/jfs[^/]*\\.jar");
    private static final int MAIN_CLASS_MAX = 60;
    private static final String NO_TABLE = "it has jfs.jar, and no table of connections: none of its sockets so far is JFS's";
    /** Options of the java command whose value is the next word. */
    private static final Set<String> TWO_WORDS = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path",
            "--upgrade-module-path", "--add-modules", "--limit-modules", "--add-exports", "--add-opens", "--add-reads", "--patch-module",
            "--enable-native-access", "--source");

    private final String pid;
    private final String namespace;
    private final KernelSockets kernel;
    private final String program;
    private final String problem;
    private final TableReader table;
    private final JoinedConnections connections;
    private final List<String> otherLibraries;

    private JfsProcess(String pid, KernelSockets kernel, TableReader table, String problem) {
        this.pid = pid;
        this.kernel = kernel;
        this.namespace = KernelSockets.namespace(pid);
        this.program = program(pid);
        this.table = table;
        this.problem = problem;
        this.connections = JoinedConnections.of(table == null ? List.of() : table.connections(), this::sockets);
        Set<String> mapped = MappedFiles.names(pid);
        this.otherLibraries = NettyLibraries.among(mapped);
    }

    /** {@link JoinedConnections.Sockets} of this process. */
    private List<TcpTable.Row> sockets(boolean again) {
        Map<Integer, Long> descriptors = Descriptors.sockets(pid);
        if (descriptors == null) {
            return null;
        }
        Map<Long, TcpTable.Row> known = kernel.of(pid, namespace, again);
        return descriptors.values().stream().distinct().map(known::get).filter(Objects::nonNull).toList();
    }

    /** All processes that this user may look into and that use JFS, in the order of their numbers. */
    public static List<JfsProcess> all() throws LauncherException {
        List<String> numbers = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC)) {
            processes.forEach(it -> numbers.add(it.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            throw LauncherException.failure("can't look for processes: " + e);
        }
        numbers.removeIf(it -> !NUMBER.matcher(it).matches() || it.equals(String.valueOf(ProcessHandle.current().pid())));
        numbers.sort(Comparator.comparingLong(Long::parseLong));
        List<JfsProcess> found = new ArrayList<>();
        KernelSockets kernel = new KernelSockets();
        for (String number : numbers) {
            JfsProcess it = look(number, kernel);
            if (it != null) {
                found.add(it);
            }
        }
        return found;
    }

    /**
     * @param all what {@link #all} has returned
     * @throws LauncherException if the process does not use JFS, or this user may not look into it
     */
    public static JfsProcess among(List<JfsProcess> all, String pid) throws LauncherException {
        for (JfsProcess it : all) {
            if (it.pid.equals(pid)) {
                return it;
            }
        }
        Path folder = PROC.resolve(pid);
        if (!Files.exists(folder)) {
            String hidden = HiddenProcesses.option();
            throw LauncherException.failure("there is no process " + pid + " here" + (hidden == null ? ""
                    : ", or it is of another user, whose processes /proc hides (mount option " + hidden + ")"));
        }
        if (isClosed(folder)) {
            throw LauncherException.failure(ClosedProcess.why(pid, "look into"));
        }
        throw LauncherException.failure("process " + pid + " does not use JFS: it has no jfs.jar open");
    }

    /** Whether the kernel keeps this process from following the links of a process. It may let it list them all the same. */
    private static boolean isClosed(Path folder) {
        try {
            Files.readSymbolicLink(folder.resolve("exe"));
            return false;
        } catch (AccessDeniedException e) {
            return true;
        } catch (IOException e) { // it has just ended, or is the kernel's own
            return !Files.isReadable(folder.resolve("fd"));
        }
    }

    /** @return null if it does not use JFS, can't be looked into, or has ended meanwhile */
    private static JfsProcess look(String pid, KernelSockets kernel) {
        JfsProcess it = lookAtDescriptors(pid, kernel);
        return Descriptors.target(PROC.resolve(pid).resolve("exe")).isEmpty() ? null : it;
    }

    private static JfsProcess lookAtDescriptors(String pid, KernelSockets kernel) {
        boolean hasJar = false;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(PROC.resolve(pid).resolve("fd"))) {
            for (Path descriptor : descriptors) {
                String target = Descriptors.target(descriptor);
                if (TABLE.matcher(target).matches()) {
                    return open(pid, kernel, descriptor);
                }
                hasJar |= JAR.matcher(target).matches();
            }
        } catch (IOException | DirectoryIteratorException e) { // another user's, or it has ended
            return null;
        }
        return hasJar ? new JfsProcess(pid, kernel, null, NO_TABLE) : null;
    }

    /** What the process has there may be anything: its user, who may be another one, has chosen the name. */
    private static JfsProcess open(String pid, KernelSockets kernel, Path descriptor) {
        if (!Files.isRegularFile(descriptor)) { // to open a pipe would wait for a writer
            return null;
        }
        try (FileChannel channel = FileChannel.open(descriptor, StandardOpenOption.READ)) {
            return new JfsProcess(pid, kernel, new TableReader(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())), null);
        } catch (IOException e) {
            return new JfsProcess(pid, kernel, null, "its table of connections can't be opened: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            return new JfsProcess(pid, kernel, null, e.getMessage());
        } catch (InternalError e) { // the JVM's word for a mapped file that has lost the page
            return new JfsProcess(pid, kernel, null, "its table of connections was cut off while it was read");
        }
    }

    /** What the process runs: the main class or jar of a JVM, as far as its command line tells. */
    private static String program(String pid) {
        try {
            String[] words = Files.readString(PROC.resolve(pid).resolve("cmdline"), StandardCharsets.ISO_8859_1).split("\0");
            return program(List.of(words));
        } catch (IOException e) { // it has ended, or belongs to another user
            return "?";
        }
    }

    /** @param words a command line of java. Of a file of options (@FILE) only the name is known */
    static String program(List<String> words) {
        String file = "?";
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (TWO_WORDS.contains(word)) {
                i++;
            } else if (word.startsWith("@")) {
                file = shown(word);
            } else if (!word.startsWith("-") && !word.equals("JFSLauncher") && !JAR.matcher("/" + word).matches() && !word.equals("run")) {
                return shown(word.substring(word.lastIndexOf('/') + 1));
            }
        }
        return file;
    }

    private static String shown(String word) {
        String name = printable(word);
        return name.length() <= MAIN_CLASS_MAX ? name : name.substring(0, MAIN_CLASS_MAX) + "...";
    }

    /**
     * The number of the process that has the other end of a connection, JFS's or not.
     *
     * @return null if that is not known: it is in another network namespace, or may not be looked into
     */
    String otherHolder(JoinedConnections.Connection connection) {
        return connection.row() == null ? null : kernel.otherHolder(namespace, connection.row());
    }

    /** What a process runs, a JVM or not, as far as this user may know. */
    static String name(String pid) {
        String exe = Descriptors.target(PROC.resolve(pid).resolve("exe"));
        return exe.endsWith("/java") ? program(pid) : printable(exe.substring(exe.lastIndexOf('/') + 1));
    }

    private static String printable(String name) {
        return name.replaceAll("[\\x00-\\x1f\\x7f-\\x9f]", "?");
    }

    public String pid() {
        return pid;
    }

    /** Its network namespace; empty if this user may not know it. */
    String namespace() {
        return namespace;
    }

    public String program() {
        return program;
    }

    /** Why nothing is known of its connections, or null. */
    public String problem() {
        return problem;
    }

    /** What its user can do if it has jfs.jar and no table; null otherwise. */
    String remedy() {
        if (!NO_TABLE.equals(problem)) {
            return null;
        }
        return outOfReach() == 0 ? "nothing before it connects; if it has talked already, look whether JFS is installed there: by the"
                + " agent, by run or by attach; a line on its stderr that begins with jfs: says why not"
                : "look what connects there: JFS can't reach SocketChannels with jfs.nio=off, AsynchronousSocketChannels, native libraries,"
                        + " sockets from before attach and what they accept; or JFS is not installed there, which a line on its stderr"
                        + " says: jfs.jar on the class path alone changes nothing";
    }

    /** Null if {@link #problem} has a reason. */
    public TableReader table() {
        return table;
    }

    /** The connections that JFS has now, the newest first. */
    public List<JoinedConnections.Connection> connections() {
        return connections.connections();
    }

    /** How many established TCP connections it has now that are not JFS's; 0 if that can't be known. */
    public int outOfReach() {
        return Math.max(connections.outOfReach(), 0);
    }

    /** Which libraries it has loaded that make such connections, with the program's own switch. */
    public List<String> otherLibraries() {
        return otherLibraries;
    }
}
