/*
 * The vendor's extensions of the MX interface. What is common to all calls is said in myriexpress.h.
 */
#ifndef MX_EXTENSIONS_H
#define MX_EXTENSIONS_H

#include "myriexpress.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MX_HAS_ICONNECT_V2 1 /* mx_iconnect takes match_info */

/*
 * Connects as mx_connect does, without waiting: the request completes with MX_STATUS_SUCCESS, and status.source is the
 * address; or with MX_STATUS_ENDPOINT_CLOSED, MX_STATUS_BAD_KEY, MX_STATUS_BAD_ENDPOINT, MX_STATUS_ENDPOINT_UNREACHABLE,
 * MX_STATUS_TIMEOUT (mx_set_request_timeout). status.match_info is match_info, for mx_test_any and mx_wait_any.
 */
mx_return_t mx_iconnect(mx_endpoint_t endpoint, uint64_t nic_id, uint32_t endpoint_id, uint32_t key, uint64_t match_info,
                        void *context, mx_request_t *request);

/*
 * Ends the connection with an endpoint. Sends to it that are not complete get MX_STATUS_ENDPOINT_UNREACHABLE, as do receives
 * that had matched a message of it; later ones to this address get MX_STATUS_BAD_SESSION until mx_connect gives a new one.
 * MX_CLOSE_IN_HANDLER in an unexpected handler.
 */
mx_return_t mx_disconnect(mx_endpoint_t endpoint, mx_endpoint_addr_t addr);

enum mx_unexp_handler_action {
    MX_RECV_CONTINUE = 0, /* the message is matched (again) with the receives, and kept if there is none for it */
    MX_RECV_FINISHED      /* the message has been taken care of: forget it */
};
typedef enum mx_unexp_handler_action mx_unexp_handler_action_t;

/*
 * Called for a message that no receive has matched, in the thread that happens to make progress, before that thread's
 * call returns; for one message at a time on an endpoint, in the order of their arrival.
 *
 * It may call mx_isend, mx_issend, mx_irecv, mx_iconnect, mx_forget, the functions about addresses and those without an
 * endpoint. Tests, peeks and probes find nothing new, waits, mx_connect, mx_disconnect and mx_close_endpoint give
 * MX_CLOSE_IN_HANDLER.
 *
 * source             the sender
 * data_if_available  the message's length bytes, valid until the handler returns; NULL if they have not arrived (see
 *                    Limits in myriexpress.h): to have them, post a receive and return MX_RECV_CONTINUE
 */
typedef mx_unexp_handler_action_t (*mx_unexp_handler_t)(void *context, mx_endpoint_addr_t source, uint64_t match_value,
                                                        uint32_t length, void *data_if_available);

/* Sets the endpoint's handler, in place of the former one; NULL for none. For messages that arrive from now on. */
mx_return_t mx_register_unexp_handler(mx_endpoint_t endpoint, mx_unexp_handler_t handler, void *context);

/*
 * Gives a request away: it goes on, but its completion is not told. *request is NULL afterwards. When its memory may be used
 * again is then only known from what the peer says; closing the endpoint ends it.
 * MX_BAD_REQUEST.
 */
mx_return_t mx_forget(mx_endpoint_t endpoint, mx_request_t *request);

/* Makes progress, and nothing else. Doesn't block. */
mx_return_t mx_progress(mx_endpoint_t endpoint);

/* Something of the program's that belongs to an address, to have it again when a message of that source comes. NULL at first. */
mx_return_t mx_set_endpoint_addr_context(mx_endpoint_addr_t endpoint_addr, void *context);
mx_return_t mx_get_endpoint_addr_context(mx_endpoint_addr_t endpoint_addr, void **context);

/*
 * A request that is not complete milli_seconds from now completes with MX_STATUS_TIMEOUT. 0 takes the time-out off again.
 * With request NULL: one for each request that is made on this endpoint from now on. A message whose send has timed out
 * may arrive nevertheless, and its memory is read until then, or until the peer is disconnected or the endpoint closed. A
 * receive that a long message is already on its way to does not time out.
 */
mx_return_t mx_set_request_timeout(mx_endpoint_t endpoint, mx_request_t request, uint32_t milli_seconds);

/*
 * As mx_decompose_endpoint_addr, and the session. If a source's differs from an earlier one with the same ids, that is another
 * endpoint, opened after the former one was closed, or another connection with the same one, made after the former one was lost.
 * Only sources compare: mx_get_endpoint_addr's session is the endpoint's alone.
 */
mx_return_t mx_decompose_endpoint_addr2(mx_endpoint_addr_t endpoint_addr, uint64_t *nic_id, uint32_t *endpoint_id,
                                        uint32_t *session_id);

#ifdef __cplusplus
}
#endif

#endif
