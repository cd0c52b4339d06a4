/* Exports functions and flags from the library; everything else is hidden. */
#ifndef SHIM_EXPORTS_H
#define SHIM_EXPORTS_H

#define SHIM_EXPORTED __attribute__((visibility("default")))

/* After a function's definition: exports it under its plain name and under both names of the interface. */
#define SHIM_EXPORT(name) SHIM_EXPORT_AS(_SISCI_PUBLIC_FUNC_, name)
#define SHIM_EXPORT_AS(prefix, name)                                                                         \
    extern __typeof__(name) name SHIM_EXPORTED;                                                              \
    extern __typeof__(name) prefix##ST_##name SHIM_EXPORTED __attribute__((alias(#name), copy(name)));       \
    extern __typeof__(name) prefix##MT_##name SHIM_EXPORTED __attribute__((alias(#name), copy(name)))

#endif
