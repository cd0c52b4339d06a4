/*
 * Linked into a library in munmap's place. As it is, an unmapped address may soon be another mapping's, and who still uses
 * it reads and writes there with no fault. Here the pages go as ever, but the addresses stay taken for good, with no
 * access: each touch is a SIGSEGV, however late. They cost address space alone, of which there is enough for millions
 * of segments; neighbours are one mapping to the kernel.
 */
#include <stdlib.h>
#include <sys/mman.h>

int __wrap_munmap(void *address, size_t size);

int __wrap_munmap(void *address, size_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(address, size, PROT_NONE, flags, -1, 0) == MAP_FAILED)
        abort(); /* what can't be guarded must not pass for guarded */
    return 0;
}
