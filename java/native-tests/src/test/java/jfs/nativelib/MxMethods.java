package jfs.nativelib;

import static jfs.nativelib.NativeCalls.WHILE;
import static jfs.nativelib.NativeCalls.is;
import static jfs.nativelib.NativeCalls.load;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jfs.nativelib.NativeCalls.Call;

/** Calls of each native method of {@link Mx}. */
final class MxMethods {

    private MxMethods() {
    }

    /** The calls by name. Without UCX there is no library to call. With UCX {@link #talkToOurselves} makes all the calls. */
    static Map<String, Call> calls(Path natives) {
        Map<String, Call> calls = new HashMap<>();
        calls.put("Mx.load", () -> {
            is(true, load(Mx.class, natives.resolve("n".repeat(2_000)), false).startsWith("dlopen: "));
            String missing = load(Mx.class, natives.resolve("libjfs_jni.so"), false); // the message names the file and the missing symbol
            is(true, missing.startsWith("dlsym: ") && missing.contains("libjfs_jni.so") && missing.contains("mx__init_api"));
            Path shim = natives.resolve("libmyriexpress.so");
            is(shim + " is a shim, not a vendor's", load(Mx.class, shim, true));
            is(NativeLibrary.mxUnavailable() == null, load(Mx.class, shim, false) == null);
        });
        for (String name : new String[] {"transports", "errorText", "statusText", "address", "closeEndpoint", "connect",
            "disconnect", "send", "receive", "completions", "arm", "sleep", "await", "wakeUp"}) {
            calls.put("Mx." + name, () -> { });
        }
        calls.put("Mx.openEndpoint", () -> {
            if (NativeLibrary.mxUnavailable() == null) {
                talkToOurselves();
            }
        });
        return calls;
    }

    /** Sends a message from an endpoint to itself, by all the calls that this takes. */
    private static void talkToOurselves() {
        is(true, (Mx.transports() & (Mx.RDMA | Mx.TCP)) != 0);
        is(true, Mx.errorText(Mx.NO_RESOURCES).length() > 0 && Mx.statusText(Mx.STATUS_SUCCESS).length() > 0);
        int key = 4711;
        long[] opened = new long[4];
        is(Mx.OK, Mx.openEndpoint(key, opened));
        long endpoint = opened[0];
        long[] peer = new long[5];
        is(false, Mx.connect(endpoint, opened[1], (int) opened[2], key + 1, WHILE, peer) == Mx.OK);
        is(Mx.OK, Mx.connect(endpoint, opened[1], (int) opened[2], key, WHILE, peer));
        is(opened[1], peer[2]);
        is(opened[2], peer[3]);
        ByteBuffer memory = ByteBuffer.allocateDirect(3 * Mx.COMPLETION_BYTES).order(ByteOrder.nativeOrder());
        long address = Mx.address(memory);
        memory.put(0, (byte) 42);
        is(Mx.OK, Mx.receive(endpoint, address + 1, 1, 5));
        is(Mx.OK, Mx.send(endpoint, peer[0], peer[1], address, 1, 6, 7));
        ByteBuffer out = memory.slice(Mx.COMPLETION_BYTES, 2 * Mx.COMPLETION_BYTES).order(ByteOrder.nativeOrder());
        int sum = 0;
        for (int found = 0; found < 2;) {
            int n = Mx.completions(endpoint, address + Mx.COMPLETION_BYTES, 2);
            for (int i = 0; i < n; i++) {
                is(Mx.STATUS_SUCCESS, out.getInt(i * Mx.COMPLETION_BYTES + Mx.STATUS));
                is(6L, out.getLong(i * Mx.COMPLETION_BYTES + Mx.MATCH));
                sum += (int) out.getLong(i * Mx.COMPLETION_BYTES + Mx.CONTEXT);
            }
            found += n;
        }
        is(12, sum);
        is((byte) 42, memory.get(1));
        is(0, Mx.completions(endpoint, address, 1));
        is(Mx.OK, Mx.await(endpoint, 1));
        while (!Mx.arm(endpoint)) {
            is(0, Mx.completions(endpoint, address, 1));
        }
        is(0, Posix.poll((int) opened[3], Posix.POLLIN, -1, 0, 0));
        is(Mx.OK, Mx.wakeUp(endpoint));
        is(Posix.POLLIN, Posix.poll((int) opened[3], Posix.POLLIN, -1, 0, WHILE));
        sleepAtEndpoint(endpoint, address);
        is(Mx.OK, Mx.disconnect(endpoint, peer[0], peer[1]));
        is(Mx.OK, Mx.closeEndpoint(endpoint));
    }

    private static void sleepAtEndpoint(long endpoint, long address) {
        int event = Posix.eventCreate();
        while (Mx.sleep(endpoint, -1, 0, -1, 0, 0) == Mx.LOOK_FIRST) {
            is(0, Mx.completions(endpoint, address, 1));
        }
        is(0, Mx.sleep(endpoint, event, Posix.POLLIN, -1, 0, 0));
        Posix.eventSignal(event);
        is(Posix.POLLIN, Mx.sleep(endpoint, event, Posix.POLLIN, -1, 0, WHILE));
        is(Posix.POLLIN << 16, Mx.sleep(endpoint, -1, 0, event, Posix.POLLIN, WHILE));
        Posix.close(event);
        is(Mx.OK, Mx.wakeUp(endpoint));
        is(Mx.LOOK_FIRST, Mx.sleep(endpoint, -1, 0, -1, 0, WHILE));
    }
}
