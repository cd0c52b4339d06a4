package jfs.nativelib;

import static jfs.nativelib.NativeCalls.SIZE;
import static jfs.nativelib.NativeCalls.WHILE;
import static jfs.nativelib.NativeCalls.is;
import static jfs.nativelib.NativeCalls.load;
import static jfs.nativelib.NativeCalls.segmentId;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jfs.nativelib.NativeCalls.Call;

/** Calls of each native method of {@link Sisci}. */
final class SisciMethods {

    private SisciMethods() {
    }

    /** The calls, by the name of the method that each of them is about. */
    static Map<String, Call> calls(Path natives) {
        Map<String, Call> calls = new HashMap<>();
        calls.put("Sisci.load", () -> {
            is(true, load(Sisci.class, natives.resolve("n".repeat(2_000)), false).startsWith("dlopen: "));
            String missing = load(Sisci.class, natives.resolve("libjfs_jni.so"), false); // in which file, and what
            is(true, missing.startsWith("dlsym: ") && missing.contains("libjfs_jni.so")
                    && missing.contains("SCIInitialize"));
            Path shim = natives.resolve("libsisci.so");
            is(shim + " is a library for one host, not for a card", load(Sisci.class, shim, true));
            is(true, Sisci.sharesMemory()); // the library from before is still in use
            is(null, load(Sisci.class, shim, false));
        });
        // segments() and interrupts() call most of these methods.
        for (String method : new String[] {"createSegment", "addWaker", "admitOne", "setAvailable", "setUnavailable", "mapLocal", "unmap",
            "removeSegment", "connectSegment", "goneWord", "mapRemote", "disconnectSegment", "createInterrupt", "connectSelf", "signal",
            "acknowledge", "removeInterrupt", "connectInterrupt", "trigger", "sharesMemory", "createSequence", "storesArrive",
            "removeSequence", "disconnectInterrupt", "localNode", "errorText", "allowUsers", "connections", "peersHaveDied"}) {
            calls.put("Sisci." + method, () -> { });
        }
        calls.put("Sisci.allowUsers", () -> {
            Sisci.allowUsers(new int[] {1, 2, -1});
            Sisci.allowUsers(new int[0]);
        });
        calls.put("Sisci.errorText", () -> is(true, Sisci.errorText(Sisci.SEGMENTID_USED).length() > 0
                && Sisci.errorText(-1).length() > 0));
        calls.put("Sisci.createSegment", SisciMethods::segments);
        calls.put("Sisci.createInterrupt", SisciMethods::interrupts);
        return calls;
    }

    private static void segments() throws Exception {
        long[] out = new long[3];
        is(Sisci.OK, Sisci.localNode(out));
        int node = (int) out[0];
        int id = segmentId();
        is(Sisci.OK, Sisci.createInterrupt(-1, out));
        long waker = out[0];
        int descriptor = (int) out[2];
        is(Sisci.OK, Sisci.connectSelf(waker, node));
        is(true, Sisci.createSegment(id, 0, waker, out) != Sisci.OK);
        is(true, Sisci.createSegment(id, Long.MAX_VALUE, waker, out) != Sisci.OK);
        is(true, Sisci.connectSegment(node, id, 0, waker, out) != Sisci.OK);
        is(Sisci.OK, Sisci.createSegment(id, SIZE, waker, out));
        long local = out[0];
        ByteBuffer gone = Sisci.goneWord(local).order(ByteOrder.nativeOrder());
        is(Integer.BYTES, gone.capacity());
        is(Sisci.OK, Sisci.createInterrupt(-1, out));
        long another = out[0];
        is(Sisci.OK, Sisci.addWaker(local, another));
        is(Sisci.OK, Sisci.removeInterrupt(another));
        is(Sisci.OK, Sisci.addWaker(local, waker)); // for the second time
        is(Sisci.SEGMENTID_USED, Sisci.createSegment(id, SIZE, waker, out));
        is(null, Sisci.mapLocal(local, SIZE + 1, out));
        is(true, out[0] != Sisci.OK);
        ByteBuffer here = Sisci.mapLocal(local, SIZE, out);
        long localMap = out[0];
        is(SIZE, here.capacity());
        is(Sisci.OK, Sisci.setAvailable(local));
        is(0, Sisci.connections(local));
        is(Sisci.OK, Sisci.connectSegment(node, id, WHILE, 0, out));
        long remote = out[0];
        is((long) SIZE, out[1]);
        is(1, Sisci.connections(local));
        Sisci.admitOne(local);
        is(true, Sisci.connectSegment(node, id, WHILE, 0, new long[3]) != Sisci.OK);
        is(-1, Sisci.connections(remote));
        is(Sisci.OK, Sisci.setUnavailable(local));
        is(true, Sisci.setUnavailable(local) != Sisci.OK);
        ByteBuffer there = Sisci.mapRemote(remote, SIZE, out);
        long remoteMap = out[0];
        here.put(SIZE - 1, (byte) 7);
        is(7, (int) there.get(SIZE - 1));
        sequences(remoteMap);
        is(true, Sisci.disconnectSegment(remote) != Sisci.OK); // it is still mapped
        is(Sisci.OK, Sisci.unmap(remoteMap));
        is(true, Sisci.unmap(remoteMap) != Sisci.OK);
        is(true, Sisci.unmap(0) != Sisci.OK);
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        is(0, gone.getInt(0));
        is(Sisci.OK, Sisci.disconnectSegment(remote));
        is(Posix.POLLIN, Posix.poll(descriptor, Posix.POLLIN, -1, 0, WHILE)); // its exporter is told of the disconnect
        is(1, gone.getInt(0));
        is(Sisci.OK, Sisci.unmap(localMap));
        Sisci.peersHaveDied(local); // no effect here: the library for one host removes a segment in any case
        is(Sisci.OK, Sisci.removeSegment(local));
        is(Sisci.OK, Sisci.removeInterrupt(waker));
    }

    /** A library for one host need not have these calls. */
    private static void sequences(long remoteMap) {
        long[] out = new long[1];
        is(Sisci.OK, Sisci.createSequence(remoteMap, out));
        if (out[0] != 0) {
            is(true, Sisci.storesArrive(out[0]));
            is(Sisci.OK, Sisci.removeSequence(out[0]));
        }
    }

    private static void interrupts() {
        long[] out = new long[3];
        is(Sisci.OK, Sisci.localNode(out));
        int node = (int) out[0];
        is(Sisci.OK, Sisci.createInterrupt(-1, out));
        long interrupt = out[0];
        int number = (int) out[1];
        int descriptor = (int) out[2];
        is(true, Sisci.connectInterrupt(node, 0, 0, out) != Sisci.OK);
        is(true, Sisci.connectInterrupt(-1, number, 0, out) != Sisci.OK);
        is(Sisci.OK, Sisci.connectInterrupt(node, number, WHILE, out));
        long remote = out[0];
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        is(Sisci.OK, Sisci.trigger(remote));
        is(Posix.POLLIN, Posix.poll(descriptor, Posix.POLLIN, -1, 0, WHILE));
        Sisci.acknowledge(interrupt);
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        Sisci.signal(interrupt); // no effect, because it is not connected to itself yet
        is(0, Posix.poll(descriptor, Posix.POLLIN, -1, 0, 0));
        is(true, Sisci.connectSelf(interrupt, -1) != Sisci.OK);
        is(Sisci.OK, Sisci.connectSelf(interrupt, node));
        Sisci.signal(interrupt);
        is(Posix.POLLIN, Posix.poll(descriptor, Posix.POLLIN, -1, 0, WHILE));
        is(Sisci.OK, Sisci.removeInterrupt(interrupt));
        is(true, Sisci.trigger(remote) != Sisci.OK);
        is(Sisci.OK, Sisci.disconnectInterrupt(remote));
        // Calls for an end that is gone must fail: the library looks a handle up and does not follow it.
        is(true, Sisci.trigger(remote) != Sisci.OK);
        is(true, Sisci.disconnectInterrupt(remote) != Sisci.OK);
    }
}
