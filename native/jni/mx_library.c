/* Finds the calls of an MX library and begins to use it. If that fails, Java gets the reason, and the library in use stays. */
#include "mx_library.h"

#include "jfs_nativelib_Mx.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { REASON_BYTES = 1024 };

struct mx_library mx;

/* Looks up a function of the library; NULL if the library lacks it. */
#define FIND(file, member, name) ((member) = (__typeof__(member))dlsym((file), (name)))

/* Returns 0, or -1 with the reason. */
static int find_calls(void *file, struct mx_library *it, char reason[REASON_BYTES])
{
#define X(name)                                                                                                     \
    if (FIND(file, it->name##_, #name) == NULL) {                                                                   \
        snprintf(reason, REASON_BYTES, "dlsym: %s", dlerror());                                                     \
        return -1;                                                                                                  \
    }
    MX_CALLS(X)
#undef X
    FIND(file, it->decompose2, "mx_decompose_endpoint_addr2");
    return 0;
}

static void find_extension(void *file, struct mx_library *it)
{
    if (FIND(file, it->descriptor, "mx_shim_descriptor") == NULL || FIND(file, it->arm, "mx_shim_arm") == NULL ||
        FIND(file, it->wait, "mx_shim_wait") == NULL ||
        FIND(file, it->transports, "mx_shim_transports") == NULL) {
        it->descriptor = NULL;
        it->arm = NULL;
        it->wait = NULL;
        it->transports = NULL;
    }
}

/*
 * Initialises the library. Returns 0, or -1 with the reason: the library has another interface, or it has no network.
 * Before that it sets the error handler MX_ERRORS_RETURN, because with the default one an error would end the JVM.
 */
static int begin(void *file, struct mx_library *it, const char *path, char reason[REASON_BYTES])
{
    __typeof__(mx_shim_probe) *probe;
    if (FIND(file, probe, "mx_shim_probe") != NULL) { /* the probe gives a more exact reason than an error code */
        char no[MX_SHIM_REASON_BYTES];
        if (probe(no) != 0) {
            snprintf(reason, REASON_BYTES, "%s", no);
            return -1;
        }
    }
    const mx_error_handler_t *handler = dlsym(file, "MX_ERRORS_RETURN");
    if (handler == NULL) {
        snprintf(reason, REASON_BYTES, "dlsym: %s", dlerror());
        return -1;
    }
    it->mx_set_error_handler_(*handler);
    mx_return_t error = it->mx__init_api_(MX_API);
    if (error != MX_SUCCESS && error != MX_ALREADY_INITIALIZED) {
        snprintf(reason, REASON_BYTES, "mx_init: %s (%s)", it->mx_strerror_(error), path);
        return -1;
    }
    return 0;
}

static int load(const char *path, int vendors, char reason[REASON_BYTES])
{
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (file == NULL) {
        snprintf(reason, REASON_BYTES, "dlopen: %s", dlerror());
        return -1;
    }
    struct mx_library it;
    memset(&it, 0, sizeof it);
    if (find_calls(file, &it, reason) != 0) {
        dlclose(file);
        return -1;
    }
    find_extension(file, &it);
    if (vendors && it.descriptor != NULL) {
        dlclose(file);
        snprintf(reason, REASON_BYTES, "%s is a shim, not a vendor's", path);
        return -1;
    }
    if (begin(file, &it, path, reason) != 0)
        return -1; /* the library stays loaded: nothing guarantees that its code has stopped running */
    mx = it;
    return 0;
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Mx_load(JNIEnv *env, jclass self, jstring path, jboolean vendors)
{
    (void)self;
    const char *file = (*env)->GetStringUTFChars(env, path, NULL);
    if (file == NULL)
        return NULL; /* an OutOfMemoryError is pending */
    char reason[REASON_BYTES];
    int result = load(file, vendors, reason);
    (*env)->ReleaseStringUTFChars(env, path, file);
    return result == 0 ? NULL : (*env)->NewStringUTF(env, reason);
}
