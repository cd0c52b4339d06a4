/*
 * Included before anything else where a library is to run with every glibc from 2.17 on. A linker takes the newest version
 * of a symbol, though what it does may not have changed since the oldest; and some system calls got a function late.
 * The tests named old_glibc look whether anything is missing here.
 */
#ifndef OLD_GLIBC_H
#define OLD_GLIBC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Moved into libc.so from libpthread.so and libdl.so, and given new versions there, by glibc 2.32 and 2.34. */
#if defined(__x86_64__)
#define OLD_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLD_VERSION "GLIBC_2.17"
#endif
#ifdef OLD_VERSION
#define OLD(name, version) __asm__(".symver " #name "," #name "@" version)
OLD(dlclose, OLD_VERSION);
OLD(dlerror, OLD_VERSION);
OLD(dlopen, OLD_VERSION);
OLD(dlsym, OLD_VERSION);
OLD(pthread_attr_setstacksize, OLD_VERSION);
OLD(pthread_create, OLD_VERSION);
OLD(pthread_detach, OLD_VERSION);
OLD(pthread_join, OLD_VERSION);
OLD(pthread_mutex_trylock, OLD_VERSION);
OLD(pthread_mutexattr_destroy, OLD_VERSION);
OLD(pthread_mutexattr_init, OLD_VERSION);
OLD(pthread_mutexattr_settype, OLD_VERSION);
OLD(pthread_once, OLD_VERSION);
OLD(pthread_sigmask, OLD_VERSION);
#ifdef __x86_64__
OLD(pthread_condattr_setclock, "GLIBC_2.3.3");
OLD(pthread_setname_np, "GLIBC_2.12");
#else
OLD(pthread_condattr_setclock, OLD_VERSION);
OLD(pthread_setname_np, OLD_VERSION);
#endif
#endif

/* Functions since 2.25, 2.27 and 2.33; where sizes are 64 bits the kernel's struct stat is glibc's. */
#define getrandom(bytes, size, flags) ((ssize_t)syscall(SYS_getrandom, bytes, (size_t)(size), (unsigned int)(flags)))
#define memfd_create(name, flags) ((int)syscall(SYS_memfd_create, name, (unsigned int)(flags)))
#ifdef __LP64__
#define fstat(fd, result) ((int)syscall(SYS_fstat, fd, result))
#endif

#endif
