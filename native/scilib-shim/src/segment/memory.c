#include "segment/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "exports.h"
#include "sisci_shim.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static const int SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
static const int SEAL_EXEC = 0x20; /* F_SEAL_EXEC, which comes with MFD_NOEXEC_SEAL; newer than our headers */

/* Set to 0 if this kernel is older than 6.3, which added the flag. Guarded by the library's lock. */
static unsigned int noexec = MFD_NOEXEC_SEAL;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* The size rounded up to whole pages; 0 when a file can't be that large. */
static size_t file_size(size_t size)
{
    size_t page = page_size();
    return size <= (size_t)INT64_MAX - page ? (size + page - 1) / page * page : 0;
}

/* Whether a file must not be that large. The kernel's refusal comes with SIGXFSZ, which ends a program without a handler. */
static bool is_beyond_limit(size_t length)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && length > limit.rlim_cur;
}

/* Makes memory that can never be executed as a program: with vm.memfd_noexec=2 some kernels refuse any other. */
static int sealable_memory(void)
{
    int fd = memfd_create("sisci-segment", MFD_CLOEXEC | MFD_ALLOW_SEALING | noexec);
    if (fd < 0 && errno == EINVAL && noexec != 0) {
        noexec = 0;
        fd = sealable_memory();
    }
    return fd;
}

sci_error_t memory_create(struct memory *memory, size_t size)
{
    size_t length = file_size(size);
    if (length == 0 || is_beyond_limit(length)) {
        errno = EFBIG;
        return failed("ftruncate", SCI_ERR_NOSPC);
    }
    int fd = sealable_memory();
    if (fd < 0)
        return failed("memfd_create", SCI_ERR_SYSTEM);
    if (ftruncate(fd, (off_t)length) < 0 || fcntl(fd, F_ADD_SEALS, SEALS) < 0) {
        sci_error_t status = failed("ftruncate or fcntl", SCI_ERR_NOSPC);
        close(fd);
        return status;
    }
    *memory = (struct memory){ .fd = fd, .size = size };
    return SCI_ERR_OK;
}

void memory_create_empty(struct memory *memory, size_t size)
{
    *memory = (struct memory){ .fd = -1, .size = size };
}

/* PAGES-1: whether the file can't shrink or fault when touched: tmpfs, base pages, exactly these seals and this size. */
static bool is_safe(int fd, size_t size)
{
    struct statfs system;
    struct stat file;
    /* Seals first: only memory has them. So the other questions don't go to a file system that may not answer. */
    return size > 0 && (fcntl(fd, F_GET_SEALS) & ~SEAL_EXEC) == SEALS && fstatfs(fd, &system) == 0 &&
           system.f_type == TMPFS_MAGIC && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR &&
           fstat(fd, &file) == 0 && file_size(size) != 0 && file.st_size == (off_t)file_size(size);
}

sci_error_t memory_adopt(struct memory *memory, int fd, size_t size)
{
    if (!is_safe(fd, size))
        return SCI_ERR_CONNECTION_REFUSED;
    *memory = (struct memory){ .fd = fd, .size = size };
    return SCI_ERR_OK;
}

sci_error_t memory_share(struct memory *memory, size_t size)
{
    if (size > memory->size) /* also if the last page has room for it: the size that the first member asked for counts */
        return SCI_ERR_OUT_OF_RANGE;
    memory->group_size = memory->size;
    if (size > 0)
        memory->size = size;
    memory->handed_out = true;
    return SCI_ERR_OK;
}

static void *map_pages(const struct memory *memory, size_t offset, size_t size, void *wish, unsigned int flags)
{
    int protection = (flags & SCI_FLAG_READONLY_MAP) != 0 ? PROT_READ : PROT_READ | PROT_WRITE;
    bool fixed = (flags & SCI_FLAG_FIXED_MAP_ADDR) != 0;
    void *address = mmap(wish, size, protection, MAP_SHARED | (fixed ? MAP_FIXED_NOREPLACE : 0), memory->fd,
                         (off_t)offset);
    if (address != MAP_FAILED && fixed && address != wish) {
        /* For a kernel before 4.17 the fixed address is only a hint. */
        munmap(address, size);
        errno = EEXIST;
        return MAP_FAILED;
    }
    /* An idle segment uses a few KB. A huge page has 2 MB, none of which can be given back. Kernels without them refuse this. */
    if (address != MAP_FAILED)
        madvise(address, size, MADV_NOHUGEPAGE);
    return address;
}

static void close_descriptor(struct memory *memory)
{
    if (memory->fd >= 0)
        close(memory->fd);
    memory->fd = -1;
}

/* The window stays, if there is one: a transfer that was accepted goes on. */
static void close_if_idle(struct memory *memory)
{
    if (memory->last_map && !memory->handed_out)
        close_descriptor(memory);
}

sci_error_t memory_map(struct memory *memory, sci_map_t *map, size_t offset, size_t size, void *wish,
                       unsigned int flags, void **address)
{
    const unsigned int known = SCI_FLAG_FIXED_MAP_ADDR | SCI_FLAG_READONLY_MAP | SCI_FLAG_IO_MAP_IOSPACE |
                               SCI_SHIM_FLAG_LAST_MAP | (memory->group_size != 0 ? SCI_FLAG_BROADCAST : 0);
    if ((flags & ~known) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (map == NULL || size == 0 || ((flags & SCI_FLAG_FIXED_MAP_ADDR) != 0 && wish == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (memory->last_map || memory->fd < 0)
        return SCI_ERR_ILLEGAL_OPERATION;
    if (offset > memory->size || size > memory->size - offset)
        return SCI_ERR_OUT_OF_RANGE;
    if (offset % page_size() != 0)
        return SCI_ERR_OFFSET_ALIGNMENT;

    struct map *made = calloc(1, sizeof *made);
    if (made == NULL || !handle_add(&made->object, KIND_MAP)) {
        free(made);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    void *pages = map_pages(memory, offset, size, wish, flags);
    if (pages == MAP_FAILED) {
        bool bad_address = errno == EEXIST || errno == EINVAL || errno == EPERM;
        sci_error_t status = failed("mmap", errno == ENOMEM ? SCI_ERR_NOSPC
                                            : bad_address   ? SCI_ERR_ILLEGAL_PARAMETER
                                                            : SCI_ERR_SYSTEM);
        handle_drop(&made->object);
        free(made);
        return status;
    }
    made->memory = memory;
    made->address = pages;
    made->size = size;
    made->read_only = (flags & SCI_FLAG_READONLY_MAP) != 0;
    LIST_INSERT_HEAD(&memory->maps, made, others);
    memory->last_map = (flags & SCI_SHIM_FLAG_LAST_MAP) != 0;
    close_if_idle(memory);
    *map = handle_value(&made->object);
    *address = pages;
    return SCI_ERR_OK;
}

void memory_abandon(struct memory *memory)
{
    struct map *map;
    LIST_FOREACH(map, &memory->maps, others)
        atomic_store_explicit(&map->severed, true, memory_order_release);
}

void map_release(struct map *map)
{
    if (--map->sequences == 0 && map->unmapped)
        free(map);
}

void map_destroy(struct map *map)
{
    LIST_REMOVE(map, others);
    handle_drop(&map->object);
    free(map);
}

/* Ends the map. The caller then unmaps its pages: *address and *size. */
static sci_error_t end_map(sci_map_t map, unsigned int flags, void **address, size_t *size)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct map *made = handle_find(map, KIND_MAP);
    if (made == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    *address = made->address;
    *size = made->size;
    if (made->sequences == 0) {
        map_destroy(made);
        return SCI_ERR_OK;
    }
    LIST_REMOVE(made, others);
    handle_drop(&made->object);
    made->unmapped = true;
    atomic_store_explicit(&made->severed, true, memory_order_release);
    return SCI_ERR_OK;
}

void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error)
{
    void *address = NULL;
    size_t size = 0;
    sci_error_t status = LIBRARY_LOCKED(end_map(map, flags, &address, &size));
    /*
     * Without the lock: unmapping many pages takes long, and no other thread knows of them any more. If the process forks
     * meanwhile they stay mapped in the child, as all memory does. The descriptor behind them is closed with the lock,
     * since a fork must either find it or find it closed.
     */
    if (status == SCI_ERR_OK)
        munmap(address, size);
    report(error, status);
}
SHIM_EXPORT(SCIUnmapSegment);

void memory_withdraw(struct memory *memory)
{
    memory->handed_out = false;
    close_if_idle(memory);
}

struct window *memory_window(struct memory *memory)
{
    if (!memory_has_window(memory)) {
        errno = EBADF;
        return NULL;
    }
    if (memory->window == NULL) {
        struct window *made = calloc(1, sizeof *made);
        if (made == NULL)
            return NULL;
        void *pages = map_pages(memory, 0, memory->size, NULL, 0);
        if (pages == MAP_FAILED) {
            free(made);
            return NULL;
        }
        *made = (struct window){ .bytes = pages, .size = memory->size, .users = 1 };
        memory->window = made;
    }
    memory->window->users++;
    return memory->window;
}

void window_release(struct window *window)
{
    if (--window->users > 0)
        return;
    munmap(window->bytes, window->size);
    free(window);
}

void memory_release(struct memory *memory)
{
    close_descriptor(memory);
    if (memory->window != NULL)
        window_release(memory->window);
    memory->window = NULL;
}
