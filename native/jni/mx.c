/* MX for Java: opens the library, asks it whether it can carry connections. */
#include "jfs_nativelib_Mx.h"

#include "mx_shim.h"

#include <dlfcn.h>

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Mx_load(JNIEnv *env, jclass self, jstring path)
{
    (void)self;
    char reason[MX_SHIM_REASON_BYTES];
    const char *file = (*env)->GetStringUTFChars(env, path, NULL);
    if (file == NULL)
        return NULL; /* an OutOfMemoryError is pending */
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    (*env)->ReleaseStringUTFChars(env, path, file);
    if (library == NULL)
        return (*env)->NewStringUTF(env, dlerror());
    __typeof__(mx_shim_probe) *probe = (__typeof__(mx_shim_probe) *)dlsym(library, "mx_shim_probe");
    if (probe == NULL)
        return (*env)->NewStringUTF(env, dlerror());
    return probe(reason) == 0 ? NULL : (*env)->NewStringUTF(env, reason);
}
