/*
 * Whom a SISCI library's callbacks are for. Nothing says that none is on its way any more when a vendor's library has
 * removed what it was for. So a callback's argument is no address but a ticket: each is given out once, and one that was
 * taken back leads nowhere.
 */
#ifndef JFS_CALLBACKS_H
#define JFS_CALLBACKS_H

#include <jni.h>

/*
 * A ticket for a listener, or for an event (then listener is NULL) which a callback signals. NULL: there is no memory. By
 * any thread, as all here.
 */
void *callbacks_ticket(JNIEnv *env, jobject listener, int event);
/* Whose the ticket is, for callbacks_return_owners: what the library has made with it. */
void callbacks_own(void *ticket, const void *owner);

/* After that no callback with the ticket finds its listener, nor is it writing to its event. Idempotent. */
void callbacks_return(JNIEnv *env, void *ticket);
void callbacks_return_owners(JNIEnv *env, const void *owner);

/* In a callback: a local reference, or NULL. */
jobject callbacks_listener(JNIEnv *env, void *ticket);
void callbacks_signal(void *ticket);

#endif
