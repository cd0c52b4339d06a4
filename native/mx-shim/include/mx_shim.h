/*
 * What this library has beyond the MX interface. A thread can wait for an endpoint together with other descriptors, and a
 * program can ask which networks UCX has found. A program that must also run on a vendor's library looks these functions up
 * with dlsym, and works without them where they are missing.
 */
#ifndef MX_SHIM_H
#define MX_SHIM_H

#include <poll.h>

#include "myriexpress.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MX_SHIM_REASON_BYTES 256

/*
 * Asks whether this machine can carry MX messages. Needs no mx_init. Opens UCX, which takes some milliseconds the first time,
 * and never touches the network. Any thread.
 *
 * reason   MX_SHIM_REASON_BYTES bytes of the caller. If the answer is no, the function writes one line there, always terminated
 * returns  0 for yes, -1 for no
 */
int mx_shim_probe(char *reason);

#define MX_SHIM_RDMA 1u /* InfiniBand, RoCE or the like */
#define MX_SHIM_TCP  2u

/*
 * The networks over which UCX can reach other hosts, as a sum of MX_SHIM_RDMA and MX_SHIM_TCP: what this host had, and what the
 * settings of UCX (UCX_TLS, UCX_NET_DEVICES) allowed, when the library first asked UCX. 0 where mx_shim_probe says no. Needs no
 * mx_init. Any thread.
 */
unsigned int mx_shim_transports(void);

/*
 * A descriptor that polls readable (POLLIN) when something has happened on the endpoint since mx_shim_arm returned
 * MX_SHIM_ARMED: a request has completed, a message has arrived, or mx_wakeup was called, in this thread or another one. The
 * descriptor belongs to the library: the program must not read, change or close it, nor use it after mx_close_endpoint. A
 * wake-up may be spurious. -1 if the endpoint is NULL. Any thread.
 */
int mx_shim_descriptor(mx_endpoint_t endpoint);

#define MX_SHIM_LOOK_AGAIN 0
#define MX_SHIM_ARMED      1

/*
 * A thread calls this before each wait at the descriptor, after it has looked for completions and messages. Only one thread at
 * a time arms and waits; other threads may make any other call meanwhile. Makes progress, never blocks.
 *
 * returns  MX_SHIM_ARMED: nothing that has happened since the last call of this function is still to be found; wait, then look
 *          MX_SHIM_LOOK_AGAIN: something has happened, and the descriptor is not armed; look, then call again
 *
 *     for (;;) {
 *         mx_test(endpoint, &request, &status, &result);
 *         if (result)
 *             break;
 *         if (mx_shim_arm(endpoint) == MX_SHIM_ARMED)
 *             poll(descriptors, 2, -1);
 *     }
 *
 * Request time-outs don't make the descriptor readable. A thread that waits while requests have time-outs must limit its wait
 * itself.
 */
int mx_shim_arm(mx_endpoint_t endpoint);

#define MX_SHIM_LOOK_FIRST (-1)
#define MX_SHIM_OTHERS_MAX 8

/*
 * Does mx_shim_arm and the wait in one call, for a program that would otherwise call poll(2). The thread then sleeps at two
 * levels of descriptors less, and an event that the same thread finds later does not make the descriptor readable. The call
 * waits until something happens on the endpoint, one of the other descriptors is ready, or the time is over. It both arms and
 * waits, so only one thread at a time may be in it, as for mx_shim_arm. As for mx_wait, the program calls mx_wakeup before
 * mx_close_endpoint.
 *
 * others        the other descriptors as poll(2) takes them: count of them, at most MX_SHIM_OTHERS_MAX. revents receives the
 *               result of poll; where the call did not wait, revents is unchanged
 * milliseconds  the longest wait; negative: no limit. Request time-outs don't end the wait
 * returns       the number of the others that are ready. 0 for any other wake-up, also for a spurious one (a signal): look,
 *               then call again
 *               MX_SHIM_LOOK_FIRST: something had happened, or an argument is not valid, and the call did not wait; look, then
 *               call again
 */
int mx_shim_wait(mx_endpoint_t endpoint, struct pollfd *others, unsigned int count, int milliseconds);

#ifdef __cplusplus
}
#endif
#endif
