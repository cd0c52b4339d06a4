package jfs.conformance.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** What a JVM reports of its own memory, by the commands that {@code jcmd} has. */
final class Inside {

    private static final Pattern CLASS = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern NATIVE = Pattern.compile("-\\s+(.+) \\(reserved=\\d+KB, committed=(\\d+)KB.*");

    private Inside() {
    }

    /** Bytes of live objects, by class. Collects garbage first. */
    static Map<String, Long> liveBytes() throws JMException {
        return live(2);
    }

    /** The number of live instances of each class of JFS, also of those in the JDK's packages. Collects garbage first. */
    static Map<String, Long> liveOfJfs() throws JMException {
        Map<String, Long> all = live(1);
        all.keySet().removeIf(name -> !name.matches("jfs\\.(?!conformance|testing).*|sun\\.nio\\.ch\\.Jfs.*"));
        return all;
    }

    private static Map<String, Long> live(int column) throws JMException {
        Map<String, Long> live = new TreeMap<>();
        command("gcClassHistogram").lines().map(CLASS::matcher).filter(Matcher::matches)
                .forEach(line -> live.merge(line.group(3), Long.parseLong(line.group(column)), Long::sum));
        live.keySet().removeIf(name -> name.contains("jdk.internal.vm.Filler")); // the parallel collector's name for gaps
        return live;
    }

    /** Committed native memory in bytes, by what the JVM uses it for. */
    static Map<String, Long> nativeBytes() throws JMException {
        Map<String, Long> committed = new TreeMap<>();
        command("vmNativeMemory", "summary", "scale=KB").lines().map(NATIVE::matcher).filter(Matcher::matches)
                .forEach(line -> committed.put(line.group(1), Long.parseLong(line.group(2)) << 10));
        return committed;
    }

    static String threads() throws JMException {
        return command("threadPrint");
    }

    /** The bytes of the heap that were in use after the last collection. */
    static long heapAfterCollection() {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            bytes += usage == null ? 0 : usage.getUsed();
        }
        return bytes;
    }

    static int threadCount() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static String command(String name, String... arguments) throws JMException {
        return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), name, new Object[] {arguments},
                new String[] {String[].class.getName()});
    }
}
