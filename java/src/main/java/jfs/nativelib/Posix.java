package jfs.nativelib;

/**
 * The system calls that Java does not offer. A method that returns a number returns a value {@code >= 0}, or {@code -errno}. No method
 * throws. Any thread may call any of them. Only {@link #poll}, {@link #epollWait} and the two {@link #futexWait} block. Descriptors are
 * plain numbers owned by the caller, who must not close one while another thread uses it.
 */
public final class Posix {

    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EFAULT = 14;
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
    /** epoll: report what is there at first, then each later event once. */
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

    /** Sets other events for a descriptor that was added. What is there now is reported again. */
    public static native int epollModify(int epoll, int fd, int events, long tag);

    public static native int epollRemove(int epoll, int fd);

    /**
     * Waits for events. Blocks for at most {@code millis} (negative: no limit).
     *
     * @param ready receives pairs (tag, events)
     * @return the number of pairs
     */
    public static native int epollWait(int epoll, long[] ready, int millis);

    /** eventfd(2): non-blocking, close-on-exec. */
    public static native int eventCreate();

    public static native int eventSignal(int fd);

    /** Resets the event. It is no error if the event is not signalled. */
    public static native int eventClear(int fd);

    /** Binds a SEQPACKET Unix socket to an abstract name (without the leading NUL) and listens; non-blocking. */
    public static native int unixListen(String name, int backlog);

    /**
     * Connects a SEQPACKET Unix socket to an abstract name. Does not block. The result is {@code -EAGAIN} if the backlog is full,
     * and {@code -ECONNREFUSED} if no process listens at this name.
     *
     * @param own the abstract name that the new socket itself gets; null for none. The result is {@code -EADDRINUSE} if another
     *            socket has the name. If a security module forbids names, the socket gets none
     */
    public static native int unixConnect(String own, String name);

    /**
     * The abstract name of the socket at the other end of a connected Unix socket, as {@link #unixConnect} gave it. Null if
     * that socket has no name, or one with other than printable ASCII characters. The kernel keeps a name unique in its
     * network namespace as long as a socket has it.
     */
    public static native String unixPeerName(int fd);

    /**
     * SO_MAX_PACING_RATE of socket(7): the TCP socket sends no faster than this. Only a process that has the socket can set the rate,
     * and {@link #tcpOwner} tells it to every process of the network namespace. A kernel before Linux 5.0 takes the lower 32 bits
     * only. The socket then has no limit afterwards, and the result is {@code -EOPNOTSUPP} unless the rate is -1.
     *
     * @param rate bytes per second; -1 for no limit, which is the default
     */
    public static native int setMaxPacingRate(int fd, long rate);

    /**
     * Listens for TCP on an address (16 bytes, IPv4 as IPv4-mapped; {@code ::} means all addresses of both
     * kinds) and port. The socket is non-blocking and has SO_REUSEADDR.
     */
    public static native int tcpListen(byte[] address, int port, int backlog);

    /**
     * Begins to connect by TCP, from the local address of a {@link #tcpTuple tuple} to its remote address, but to that port. The
     * socket is non-blocking and has TCP_NODELAY. It is writable when it is connected, or when the connect has failed.
     */
    public static native int tcpConnect(byte[] tuple, int port);

    /** accept4(2), non-blocking. */
    public static native int accept(int listener);

    /** The longest message of {@link #send} and {@link #receive}, bytes. */
    public static final int MESSAGE_MAX = 1024;

    /** Sends one message of at most {@link #MESSAGE_MAX} bytes, or as much of a stream as fits. Never blocks. Causes no SIGPIPE. */
    public static native int send(int fd, byte[] message, int length);

    /**
     * Receives one message, or what there is of a stream. Never blocks. Descriptors that come with a message are dropped, and the
     * result is {@code -EBADMSG}, as it is for a message that is longer than the buffer. (Linux 6.16 does not even let descriptors be
     * sent.)
     *
     * @return the length of the message; of a stream, as much as fits; 0 when the peer has closed
     */
    public static native int receive(int fd, byte[] buffer);

    /** SO_PEERCRED: the uid in the high 32 bits, the pid in the low 32. A uid from 2^31 on gives a large negative number. */
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

    /**
     * Tells the peer what close(2) would tell it, and keeps the descriptor. The peer sees the end of the stream, and a reset when it
     * writes. If there are unread bytes, or SO_LINGER is 0, the connection is reset. Threads that wait for the socket wake up.
     *
     * @param endFirst whether the peer sees the end before a reset because of unread bytes
     */
    public static native int tcpEnd(int fd, boolean endFirst);

    public static final int TUPLE_BYTES = 48;
    public static final int TCP_ESTABLISHED = 1;
    /** The peer has ended its half, and this end has not ended its own. Bytes that came before may not have been read yet. */
    public static final int TCP_CLOSE_WAIT = 8;

    /**
     * The owner of an end of an established TCP connection of this network namespace, and what the end shows: sock_diag(7). The
     * time for it does not depend on the number of sockets.
     *
     * @param tuple as {@link #tcpTuple} writes it, of the end that is asked for
     * @param out has at least 3 elements. Receives the owner's user id, as seen in this process's user namespace; the socket's
     *            inode, 0 before it is accepted; the rate that {@link #setMaxPacingRate} has set there, -1 if there is none, 0 if
     *            this kernel does not tell
     * @return 0; -{@link #ESRCH} if that end has no established connection; -{@link #ENOENT} if it has no socket at all, or if
     *         the kernel can't answer such questions for TCP; another error if it can't answer any
     */
    public static native int tcpOwner(byte[] tuple, long[] out);

    /** RLIMIT_NOFILE's soft limit. */
    public static native int descriptorLimit();

    /**
     * Makes the kernel find memory for pages now rather than at their first touch: madvise(MADV_POPULATE_WRITE). The content
     * of the pages stays. The result is -{@link #EINVAL} before Linux 5.14.
     */
    public static native int populatePages(java.nio.ByteBuffer region, int offset, int length);

    /**
     * Gives a piece of shared memory back to the kernel. The piece then reads as zero: madvise(MADV_REMOVE). The kernel's pages
     * have 4 to 64 KB. The bytes of a page that is not wholly in the piece stay as they are.
     */
    public static native int releasePages(java.nio.ByteBuffer region, int offset, int length);

    /** The most bytes of one {@link #copyMapped}. */
    public static final int COPY_MAX = 64 << 10;

    /**
     * Copies bytes of a mapped file, of which another process may cut off a part at any time: process_vm_readv(2). May wait for the file's
     * disk.
     *
     * @param from direct; position and limit do not count
     * @param to has at least {@code length} bytes
     * @return bytes copied, above 0, at most {@link #COPY_MAX}; -{@link #EFAULT} if the file ends before the first one; another error if
     *         the kernel makes no such copies
     */
    public static native int copyMapped(java.nio.ByteBuffer from, int offset, byte[] to, int length);

    /**
     * Sleeps while two aligned 32-bit words hold two values: futex_waitv(2) of Linux 5.16. The first is in memory that processes may
     * share, the second in memory of this process alone. The kernel compares the words and puts the thread to sleep in one step.
     *
     * @param memory a direct buffer
     * @param offset of the first word, bytes
     * @param own a direct buffer that begins with the second word
     * @param nanos the longest sleep in nanoseconds; negative: no limit
     * @return 0 when the thread was woken, also by a signal; {@code -EAGAIN} if a word holds another value; {@code -ETIMEDOUT}; {@code
     *         -ENOSYS} by an older kernel
     */
    public static native int futexWait(java.nio.ByteBuffer memory, int offset, int value, java.nio.ByteBuffer own, int ownValue,
            long nanos);

    /** The most words of {@link #futexWaitMany}, besides the caller's own. */
    public static final int FUTEX_WORDS_MAX = 127;

    /**
     * As {@link #futexWait}, with any number of words that processes may share.
     *
     * @param memories direct buffers. None of the three arrays is null
     * @param offsets of each word, bytes
     * @param values that the words hold
     * @param count of the words, at most {@link #FUTEX_WORDS_MAX}
     * @return as {@link #futexWait}; {@code -EFAULT} if a word's memory is not mapped any more
     */
    public static native int futexWaitMany(java.nio.ByteBuffer[] memories, int[] offsets, int[] values, int count,
            java.nio.ByteBuffer own, int ownValue, long nanos);

    /**
     * Wakes all threads that sleep at an aligned 32-bit word: futex(2), FUTEX_WAKE.
     *
     * @param memory a direct buffer
     * @param offset of the word, bytes
     * @param own whether the word is the second one of {@link #futexWait}; threads of any process may sleep at the first one
     * @return how many threads were woken
     */
    public static native int futexWake(java.nio.ByteBuffer memory, int offset, boolean own);

    /**
     * Makes memory that other processes may open by this process's descriptor of it, and that nobody can shorten: memfd_create(2) of Linux
     * 3.17, with seals. The memory and its descriptor stay until the process ends. Memory is taken when a page is first written.
     *
     * @param name for {@code /proc/PID/fd}
     * @param bytes above 0
     * @return a direct buffer, all 0; null if the kernel refuses
     */
    public static native java.nio.ByteBuffer publishedMemory(String name, int bytes);

    /**
     * Random bytes that no process can guess: getrandom(2) of Linux 3.17. The result is -{@link #EAGAIN} while the kernel has not
     * gathered enough entropy, which is at most in the first moments after a machine's start.
     *
     * @param out is filled; 256 bytes at most
     * @return how many bytes
     */
    public static native int random(byte[] out);
}
