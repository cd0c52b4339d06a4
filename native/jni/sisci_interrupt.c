/* SISCI for Java: interrupts, those of this process and those of peers. */
#include "sisci_interrupt.h"

#include "callbacks.h"
#include "handles.h"
#include "jfs_nativelib_Sisci.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void signal_interrupt(const struct interrupt *interrupt)
{
    const uint64_t one = 1;
    sci_error_t ignored;
    if (interrupt->event >= 0) {
        ssize_t written = write(interrupt->event, &one, sizeof one); /* if the counter is full, it polls readable already */
        (void)written;
    } else if (interrupt->self != NULL) {
        sisci.SCITriggerInterrupt_(interrupt->self, 0, &ignored);
    }
}

/* The callback of an interrupt whose triggers signal an event of this process. */
static sci_callback_action_t triggered(void *ticket, sci_local_interrupt_t handle_of_it, sci_error_t error)
{
    (void)handle_of_it, (void)error;
    callbacks_enter(); /* otherwise the event could be closed by now, and its number be another descriptor's */
    const struct interrupt *interrupt = callbacks_object(ticket);
    if (interrupt != NULL)
        signal_interrupt(interrupt);
    callbacks_leave();
    return SCI_CALLBACK_CONTINUE;
}

static void free_interrupt(struct interrupt *interrupt)
{
    callbacks_return(interrupt->ticket);
    free(interrupt);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_createInterrupt(JNIEnv *env, jclass self, jint event, jlongArray out)
{
    (void)self;
    int calls = !sisci_has_extension(&sisci);
    struct interrupt *interrupt = calloc(1, sizeof *interrupt);
    if (interrupt == NULL)
        return (jint)SCI_ERR_API_NOSPC;
    interrupt->event = calls ? event : -1;
    interrupt->ticket = callbacks_ticket(interrupt);
    if (interrupt->ticket == NULL) {
        free(interrupt);
        return (jint)SCI_ERR_API_NOSPC;
    }
    sci_error_t error = SCI_ERR_OK;
    sisci.SCICreateInterrupt_(sisci.device, &interrupt->handle, ADAPTER, &interrupt->number, calls ? triggered : NULL,
                              interrupt->ticket, calls ? sisci.useCallback : 0, &error);
    if (error != SCI_ERR_OK) {
        free_interrupt(interrupt);
        return (jint)error;
    }
    put(env, out, 0, (jlong)(intptr_t)interrupt);
    put(env, out, 1, (jlong)interrupt->number);
    put(env, out, 2, (jlong)(calls ? event : sisci.interruptDescriptor(interrupt->handle)));
    return SCI_ERR_OK;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_connectSelf(JNIEnv *env, jclass self, jlong interrupt, jint node)
{
    (void)env, (void)self;
    struct interrupt *it = handle(interrupt);
    sci_remote_interrupt_t made;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIConnectInterrupt_(sisci.device, &made, (unsigned)node, ADAPTER, it->number, 0, 0, &error);
    if (error == SCI_ERR_OK)
        it->self = made;
    return (jint)error;
}

JNIEXPORT void JNICALL Java_jfs_nativelib_Sisci_signal(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    signal_interrupt(handle(interrupt));
}

JNIEXPORT void JNICALL Java_jfs_nativelib_Sisci_acknowledge(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    if (sisci.acknowledgeInterrupt != NULL)
        sisci.acknowledgeInterrupt(((struct interrupt *)handle(interrupt))->handle);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_removeInterrupt(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    struct interrupt *it = handle(interrupt);
    sci_error_t error = SCI_ERR_OK, ignored;
    callbacks_return(it->ticket);
    if (it->self != NULL)
        sisci.SCIDisconnectInterrupt_(it->self, 0, &ignored);
    it->self = NULL;
    sisci.SCIRemoveInterrupt_(it->handle, 0, &error);
    if (error == SCI_ERR_OK)
        free_interrupt(it);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_connectInterrupt(JNIEnv *env, jclass self, jint node, jint number,
                                                                 jint millis, jlongArray out)
{
    (void)self;
    sci_remote_interrupt_t interrupt;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIConnectInterrupt_(sisci.device, &interrupt, (unsigned)node, ADAPTER, (unsigned)number, (unsigned)millis,
                               0, &error);
    if (error == SCI_ERR_OK)
        put(env, out, 0, (jlong)(intptr_t)interrupt);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_trigger(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCITriggerInterrupt_(handle(interrupt), 0, &error);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_disconnectInterrupt(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIDisconnectInterrupt_(handle(interrupt), 0, &error);
    return (jint)error;
}
