/*
 * What this library offers beyond the MX interface: waiting for an endpoint beside other descriptors, and what it found
 * to work with. A program that must also run on a vendor's library looks these functions up with dlsym and does without
 * them where they are missing.
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
 * Asks whether this machine can carry MX messages. Needs no mx_init. Opens UCX (some milliseconds the first time), never
 * touches the network. Any thread.
 *
 * reason   MX_SHIM_REASON_BYTES bytes of the caller's; receives one line, always terminated, when the answer is no
 * returns  0 for yes, -1 for no
 */
int mx_shim_probe(char *reason);

#define MX_SHIM_RDMA 1u /* InfiniBand, RoCE or the like */
#define MX_SHIM_TCP  2u

/*
 * By what UCX can reach other hosts, as a sum of MX_SHIM_RDMA and MX_SHIM_TCP: what this host had, and the settings of UCX
 * (UCX_TLS, UCX_NET_DEVICES) left, when it was first asked. 0 where mx_shim_probe says no. Needs no mx_init. Any thread.
 */
unsigned int mx_shim_transports(void);

/*
 * A descriptor that polls readable (POLLIN) when something has happened on the endpoint since mx_shim_arm said MX_SHIM_ARMED:
 * a request completed, a message arrived, mx_wakeup was called, in this thread or another. It belongs to the library: don't
 * read, change or close it, nor use it after mx_close_endpoint. A wake-up may be spurious. -1 for NULL. Any thread.
 */
int mx_shim_descriptor(mx_endpoint_t endpoint);

#define MX_SHIM_LOOK_AGAIN 0
#define MX_SHIM_ARMED      1

/*
 * To be called before each wait at the descriptor, after having looked whether there is something. One thread at a time
 * arms and waits; others may make any other call meanwhile. Makes progress, never blocks.
 *
 * returns  MX_SHIM_ARMED: nothing has happened since the last call of this function that is still to be found; wait, then look
 *          MX_SHIM_LOOK_AGAIN: something has, the descriptor is not armed; look, then call again
 *
 *     for (;;) {
 *         mx_test(endpoint, &request, &status, &result);
 *         if (result)
 *             break;
 *         if (mx_shim_arm(endpoint) == MX_SHIM_ARMED)
 *             poll(descriptors, 2, -1);
 *     }
 *
 * Request time-outs don't make the descriptor readable: a wait that there are such for has a time-out too.
 */
int mx_shim_arm(mx_endpoint_t endpoint);

#define MX_SHIM_LOOK_FIRST (-1)
#define MX_SHIM_OTHERS_MAX 8

/*
 * mx_shim_arm and the wait in one call, for who would poll(2): two levels of descriptors less to sleep at, and nothing that the
 * same thread finds later makes the descriptor readable. Waits until something happens on the endpoint, one of the others is
 * ready, or the time is over. It stands for both, so it counts for "one thread at a time" as they do. As for mx_wait, mx_wakeup
 * comes before mx_close_endpoint.
 *
 * others        as poll(2) takes them, count of them, at most MX_SHIM_OTHERS_MAX; revents is what poll said, as before where it did not wait
 * milliseconds  the longest wait; negative: no end. Request time-outs don't end it
 * returns       how many of the others are ready; 0 for anything else, also without a cause (a signal): look, then call again
 *               MX_SHIM_LOOK_FIRST: something had happened, or the arguments are no good, and it did not wait; look, then call again
 */
int mx_shim_wait(mx_endpoint_t endpoint, struct pollfd *others, unsigned int count, int milliseconds);

#ifdef __cplusplus
}
#endif
#endif
