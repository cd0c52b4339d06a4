/* MX for Java: one native method for each call that JFS makes. None of them moves a byte of a message. */
#include "mx_library.h"

#include "jfs_nativelib_Mx.h"

#include <stddef.h>
#include <stdint.h>

/* A completion as Java reads it; jfs.nativelib.Mx has the same offsets. */
struct completion {
    uint64_t context;
    uint64_t match;
    uint64_t nic;
    uint32_t endpoint;
    uint32_t session;
    int32_t status;
    uint32_t length;
};

_Static_assert(offsetof(struct completion, context) == jfs_nativelib_Mx_CONTEXT, "context");
_Static_assert(offsetof(struct completion, match) == jfs_nativelib_Mx_MATCH, "match");
_Static_assert(offsetof(struct completion, nic) == jfs_nativelib_Mx_NIC, "nic");
_Static_assert(offsetof(struct completion, endpoint) == jfs_nativelib_Mx_ENDPOINT, "endpoint");
_Static_assert(offsetof(struct completion, session) == jfs_nativelib_Mx_SESSION, "session");
_Static_assert(offsetof(struct completion, status) == jfs_nativelib_Mx_STATUS, "status");
_Static_assert(offsetof(struct completion, length) == jfs_nativelib_Mx_LENGTH, "length");
_Static_assert(sizeof(struct completion) == jfs_nativelib_Mx_COMPLETION_BYTES, "size");

static mx_endpoint_t endpoint_of(jlong handle)
{
    return (mx_endpoint_t)(intptr_t)handle;
}

static mx_endpoint_addr_t address_of(jlong first, jlong second)
{
    return (mx_endpoint_addr_t){.stuff = {(uint64_t)first, (uint64_t)second}};
}

/* Takes an address apart into nic, endpoint id and session. For an invalid address they are 0, and the error is returned. */
static mx_return_t decompose(mx_endpoint_addr_t address, uint64_t *nic, uint32_t *id, uint32_t *session)
{
    *nic = 0;
    *id = 0;
    *session = 0;
    return mx.decompose2 != NULL ? mx.decompose2(address, nic, id, session)
                                 : mx.mx_decompose_endpoint_addr_(address, nic, id);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_transports(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return mx.transports != NULL ? (jint)mx.transports() : (jint)MX_SHIM_RDMA;
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Mx_errorText(JNIEnv *env, jclass self, jint error)
{
    (void)self;
    return (*env)->NewStringUTF(env, mx.mx_strerror_((mx_return_t)error));
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Mx_statusText(JNIEnv *env, jclass self, jint status)
{
    (void)self;
    return (*env)->NewStringUTF(env, mx.mx_strstatus_((mx_status_code_t)status));
}

JNIEXPORT jlong JNICALL Java_jfs_nativelib_Mx_address(JNIEnv *env, jclass self, jobject buffer)
{
    (void)self;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_openEndpoint(JNIEnv *env, jclass self, jint key, jlongArray out)
{
    (void)self;
    mx_endpoint_t endpoint;
    mx_endpoint_addr_t address;
    mx_return_t error = mx.mx_open_endpoint_(MX_ANY_NIC, MX_ANY_ENDPOINT, (uint32_t)key, NULL, 0, &endpoint);
    if (error != MX_SUCCESS)
        return (jint)error;
    uint64_t nic;
    uint32_t id, session;
    error = mx.mx_get_endpoint_addr_(endpoint, &address);
    if (error == MX_SUCCESS)
        error = decompose(address, &nic, &id, &session);
    if (error != MX_SUCCESS) {
        mx.mx_close_endpoint_(endpoint);
        return (jint)error;
    }
    int descriptor = mx.descriptor != NULL ? mx.descriptor(endpoint) : -1;
    jlong values[] = {(jlong)(intptr_t)endpoint, (jlong)nic, (jlong)id, descriptor};
    (*env)->SetLongArrayRegion(env, out, 0, 4, values);
    return MX_SUCCESS;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_closeEndpoint(JNIEnv *env, jclass self, jlong endpoint)
{
    (void)env, (void)self;
    return (jint)mx.mx_close_endpoint_(endpoint_of(endpoint));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_connect(JNIEnv *env, jclass self, jlong endpoint, jlong nic, jint id,
                                                     jint key, jint millis, jlongArray out)
{
    (void)self;
    mx_endpoint_addr_t address;
    mx_return_t error = mx.mx_connect_(endpoint_of(endpoint), (uint64_t)nic, (uint32_t)id, (uint32_t)key,
                                       (uint32_t)millis, &address);
    uint64_t found_nic;
    uint32_t found_id, session;
    if (error == MX_SUCCESS)
        error = decompose(address, &found_nic, &found_id, &session);
    if (error != MX_SUCCESS)
        return (jint)error;
    jlong values[] = {(jlong)address.stuff[0], (jlong)address.stuff[1], (jlong)found_nic, (jlong)found_id,
                      (jlong)session};
    (*env)->SetLongArrayRegion(env, out, 0, 5, values);
    return MX_SUCCESS;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_disconnect(JNIEnv *env, jclass self, jlong endpoint, jlong first,
                                                        jlong second)
{
    (void)env, (void)self;
    return (jint)mx.mx_disconnect_(endpoint_of(endpoint), address_of(first, second));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_send(JNIEnv *env, jclass self, jlong endpoint, jlong first, jlong second,
                                                  jlong memory, jint length, jlong match, jlong context)
{
    (void)env, (void)self;
    mx_segment_t segment = {(mx_segment_ptr_t)(intptr_t)memory, (uint32_t)length};
    mx_request_t request;
    return (jint)mx.mx_isend_(endpoint_of(endpoint), &segment, 1, address_of(first, second), (uint64_t)match,
                              (void *)(intptr_t)context, &request);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_receive(JNIEnv *env, jclass self, jlong endpoint, jlong memory,
                                                     jint length, jlong context)
{
    (void)env, (void)self;
    mx_segment_t segment = {(mx_segment_ptr_t)(intptr_t)memory, (uint32_t)length};
    mx_request_t request;
    return (jint)mx.mx_irecv_(endpoint_of(endpoint), &segment, 1, 0, 0, (void *)(intptr_t)context, &request);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_completions(JNIEnv *env, jclass self, jlong endpoint, jlong memory,
                                                         jint most)
{
    (void)env, (void)self;
    struct completion *out = (struct completion *)(intptr_t)memory;
    jint found = 0;
    while (found < most) {
        mx_status_t status = {.code = MX_STATUS_SUCCESS};
        uint32_t result = 0;
        mx_return_t error = mx.mx_test_any_(endpoint_of(endpoint), 0, 0, &status, &result);
        if (error != MX_SUCCESS)
            return found > 0 ? found : -(jint)error;
        if (!result)
            return found;
        struct completion *it = &out[found++];
        it->context = (uint64_t)(uintptr_t)status.context;
        it->match = status.match_info;
        it->nic = 0;
        it->endpoint = it->session = 0;
        it->status = (int32_t)status.code;
        it->length = status.xfer_length;
        if (status.code == MX_STATUS_SUCCESS || status.source.stuff[0] != 0) /* otherwise the completion has no source */
            decompose(status.source, &it->nic, &it->endpoint, &it->session);
    }
    return found;
}

JNIEXPORT jboolean JNICALL Java_jfs_nativelib_Mx_arm(JNIEnv *env, jclass self, jlong endpoint)
{
    (void)env, (void)self;
    return (jboolean)(mx.arm(endpoint_of(endpoint)) == MX_SHIM_ARMED);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_sleep(JNIEnv *env, jclass self, jlong endpoint, jint fd1, jint events1,
                                                   jint fd2, jint events2, jint millis)
{
    (void)env, (void)self;
    struct pollfd set[] = {{.fd = fd1, .events = (short)events1}, {.fd = fd2, .events = (short)events2}};
    if (mx.wait(endpoint_of(endpoint), set, 2, millis) == MX_SHIM_LOOK_FIRST)
        return jfs_nativelib_Mx_LOOK_FIRST;
    return (jint)((unsigned short)set[0].revents | (unsigned)(unsigned short)set[1].revents << 16);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_await(JNIEnv *env, jclass self, jlong endpoint, jint millis)
{
    (void)env, (void)self;
    mx_request_t request;
    uint32_t result;
    return (jint)mx.mx_peek_(endpoint_of(endpoint), (uint32_t)millis, &request, &result);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Mx_wakeUp(JNIEnv *env, jclass self, jlong endpoint)
{
    (void)env, (void)self;
    return (jint)mx.mx_wakeup_(endpoint_of(endpoint));
}
