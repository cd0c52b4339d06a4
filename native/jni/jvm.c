/* What only JNI can get from the JVM, and the version of the Java classes that this library was built for. */
#include "jfs_nativelib_Jvm.h"
#include "jfs_nativelib_NativeLibrary.h"

JNIEXPORT jint JNICALL Java_jfs_nativelib_NativeLibrary_builtFor(JNIEnv *env, jclass self)
{
    (void)env;
    (void)self;
    return (jint)jfs_nativelib_NativeLibrary_INTERFACE;
}

JNIEXPORT jobject JNICALL Java_jfs_nativelib_Jvm_trustedLookup(JNIEnv *env, jclass self)
{
    (void)self;
    jclass lookup = (*env)->FindClass(env, "java/lang/invoke/MethodHandles$Lookup");
    if (lookup == NULL) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    jfieldID field =
        (*env)->GetStaticFieldID(env, lookup, "IMPL_LOOKUP", "Ljava/lang/invoke/MethodHandles$Lookup;");
    if (field == NULL) {
        (*env)->ExceptionClear(env);
        return NULL;
    }
    return (*env)->GetStaticObjectField(env, lookup, field);
}
