package jfs.nativelib;

/**
 * The system calls that Java does not offer. Every method returns a value {@code >= 0}, or {@code -errno}; none
 * throws. Any thread may call any of them; only {@link #poll}, {@link #epollWait} and {@link #futexWait} block. Descriptors are plain
 * numbers owned by the caller, who must not close one while another thread uses it.
 */
public final class Posix {

    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int ETIMEDOUT = 110;
    public static final int EPROTOTYPE = 91;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int ENOBUFS = 105;
    public static final int ECONNREFUSED = 111;

    /** For {@link #poll} and epoll: there is something to read. Errors and hang-ups are reported unasked. */
    public static final int POLLIN = 0x1;
    public static final int POLLOUT = 0x4;
    public static final int POLLERR = 0x8;
    public static final int POLLHUP = 0x10;
    /** epoll: report once. */
    public static final int EPOLLONESHOT = 1 << 30;
    /** epoll: report what is there at first, and whatever comes later, but not again what was there. */
    public static final int EPOLLET = 1 << 31;

    private Posix() {
    }

    /** The text of an errno, as strerror(3) gives it. */
    public static native String errorText(int errno);

    /** close(2). */
    public static native int close(int fd);

    /**
     * Waits for events on one or two descriptors; {@code fd2 < 0} means there is only one. An interrupted wait
     * (EINTR) goes on with the time that is left.
     *
     * @param millis longest wait in milliseconds, negative for ever
     * @return what happened on the first descriptor in the low 16 bits, on the second in the high 16; 0 at time-out
     */
    public static native int poll(int fd1, int events1, int fd2, int events2, int millis);

    public static native int epollCreate();

    /** Adds a descriptor; {@code tag} comes back with its events. */
    public static native int epollAdd(int epoll, int fd, int events, long tag);

    /** Other events for a descriptor that was added. What is there now is reported again. */
    public static native int epollModify(int epoll, int fd, int events, long tag);

    public static native int epollRemove(int epoll, int fd);

    /**
     * Blocks for at most {@code millis} (negative: for ever).
     *
     * @param ready receives pairs (tag, events)
     * @return the number of pairs
     */
    public static native int epollWait(int epoll, long[] ready, int millis);

    /** eventfd(2): non-blocking, close-on-exec. */
    public static native int eventCreate();

    public static native int eventSignal(int fd);

    /** Resets the event; not being signalled is no error. */
    public static native int eventClear(int fd);

    /** Binds a SEQPACKET Unix socket to an abstract name (without the leading NUL) and listens; non-blocking. */
    public static native int unixListen(String name, int backlog);

    /**
     * Connects a SEQPACKET Unix socket to an abstract name without blocking: a full backlog is {@code -EAGAIN}, nobody there
     * {@code -ECONNREFUSED}.
     *
     * @param own the abstract name that the new socket itself gets, {@code -EADDRINUSE} if a socket has it; null for none.
     *            Where a security module forbids names it gets none
     */
    public static native int unixConnect(String own, String name);

    /**
     * The abstract name of the socket at the other end of a connected Unix socket, as {@link #unixConnect} gave it; null if
     * it has none that consists of printable ASCII characters. The kernel keeps a name unique in its network namespace as
     * long as a socket has it.
     */
    public static native String unixPeerName(int fd);

    /**
     * SO_MAX_PACING_RATE of socket(7): no TCP socket sends faster than this. Only a process that has the socket can set it, and
     * {@link #tcpOwner} tells it to every process of the network namespace. A kernel before Linux 5.0 takes the lower 32 bits only;
     * then there is no limit afterwards, and the result is {@code -EOPNOTSUPP}.
     *
     * @param rate bytes per second; -1 for no limit, which is the default
     */
    public static native int setMaxPacingRate(int fd, long rate);

    /**
     * Listens for TCP on an address (16 bytes, IPv4 as IPv4-mapped; {@code ::} means all addresses of both
     * kinds) and port; non-blocking, with SO_REUSEADDR.
     */
    public static native int tcpListen(byte[] address, int port, int backlog);

    /**
     * Begins to connect by TCP, from the local address of a {@link #tcpTuple tuple} to its remote one, with another port;
     * non-blocking, with TCP_NODELAY. The socket is writable when it is connected, or when it can't be.
     */
    public static native int tcpConnect(byte[] tuple, int port);

    /** accept4(2), non-blocking. */
    public static native int accept(int listener);

    /** One message, or so much of a stream's as fits; never blocking, no SIGPIPE. */
    public static native int send(int fd, byte[] message, int length);

    /**
     * One message, or what there is of a stream; never blocking. Descriptors that come along are nobody's business here: they are dropped and the
     * result is {@code -EBADMSG}, as it is for a message that is longer than the buffer. (Linux 6.16 does not even let
     * them be sent.)
     *
     * @return its length; of a stream, as much as fits; 0 when the peer has closed
     */
    public static native int receive(int fd, byte[] buffer);

    /** SO_PEERCRED: the uid in the high 32 bits, the pid in the low 32. */
    public static native long peerCredentials(int fd);

    /** geteuid(2). */
    public static native int effectiveUser();

    /**
     * The kernel's own view of a TCP socket: getsockname, getpeername, TCP_INFO.
     *
     * @param out at least {@link #TUPLE_BYTES}: local address (16 bytes,
     *            IPv4 as IPv4-mapped), local scope id (4), local port (4), then the same for the remote end, all
     *            integers big-endian
     * @return the TCP state ({@link #TCP_ESTABLISHED} ...)
     */
    public static native int tcpTuple(int fd, byte[] out);

    public static final int TUPLE_BYTES = 48;
    public static final int TCP_ESTABLISHED = 1;
    /** The peer has ended its half, and we have not ended ours. What came before need not have been read. */
    public static final int TCP_CLOSE_WAIT = 8;

    /**
     * Whose an end of an established TCP connection of this network namespace is, and what it shows: sock_diag(7). Takes as
     * long for one of many sockets as for one of few.
     *
     * @param tuple as {@link #tcpTuple} writes it, of the end that is asked for
     * @param out at least 3: the owner's user id, as seen in our user namespace; the socket's inode, 0 before it is
     *            accepted; what {@link #setMaxPacingRate} has set there, -1 if nothing has, 0 if this kernel doesn't tell
     * @return 0; {@link #ESRCH} if that end has no established connection; {@link #ENOENT} if it has no socket at all, or
     *         if the kernel can't say such things of TCP; another error if it can't say any
     */
    public static native int tcpOwner(byte[] tuple, long[] out);

    /** RLIMIT_NOFILE's soft limit. */
    public static native int descriptorLimit();

    /**
     * Has the kernel find memory for pages now rather than at their first touch: madvise(MADV_POPULATE_WRITE). What they
     * hold stays. {@link #EINVAL} before Linux 5.14.
     */
    public static native int populatePages(java.nio.ByteBuffer region, int offset, int length);

    /**
     * Gives a piece of shared memory back to the kernel, which then reads as zero: madvise(MADV_REMOVE). Of pages of the
     * kernel's size, 4 to 64 KB, which are not wholly in that piece, nothing happens to the bytes.
     */
    public static native int releasePages(java.nio.ByteBuffer region, int offset, int length);

    /**
     * Sleeps while two aligned 32-bit words hold two values: futex_waitv(2) of Linux 5.16. The first is in memory that processes may
     * share, the second in memory of this process alone. The kernel compares the words and puts the thread to sleep in one step.
     *
     * @param memory a direct buffer
     * @param offset of the first word, bytes
     * @param own a direct buffer that begins with the second word
     * @param nanos the longest sleep, nanoseconds; negative for ever
     * @return 0 when woken, by a signal too; {@code -EAGAIN} if a word holds another value; {@code -ETIMEDOUT}; {@code -ENOSYS} by an
     *         older kernel
     */
    public static native int futexWait(java.nio.ByteBuffer memory, int offset, int value, java.nio.ByteBuffer own, int ownValue,
            long nanos);

    /**
     * Wakes all threads that sleep at an aligned 32-bit word: futex(2), FUTEX_WAKE.
     *
     * @param memory a direct buffer
     * @param offset of the word, bytes
     * @param own whether the word is the second one of {@link #futexWait}; threads of any process sleep at the first one
     * @return how many
     */
    public static native int futexWake(java.nio.ByteBuffer memory, int offset, boolean own);

    /**
     * Numbers that nobody can guess: getrandom(2) of Linux 3.17. {@link #EAGAIN} while the kernel has not gathered enough chance, which is
     * at most for the first moments of a machine.
     *
     * @param out filled; 256 at most
     * @return how many bytes
     */
    public static native int random(byte[] out);
}
