/*
 * Linked into a library in place of munmap. After the real munmap another mapping may soon have the address, and a thread
 * that still uses it reads and writes there without a fault. This one frees the pages, too, but the addresses stay
 * reserved for good, with no access: each use is a SIGSEGV, however late. That costs only address space, of which there is
 * enough for millions of segments. Adjacent ranges are one mapping to the kernel.
 */
#include <stdlib.h>
#include <sys/mman.h>

int __wrap_munmap(void *address, size_t size);

int __wrap_munmap(void *address, size_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(address, size, PROT_NONE, flags, -1, 0) == MAP_FAILED)
        abort(); /* a range that can't be guarded must not pass as guarded */
    return 0;
}
