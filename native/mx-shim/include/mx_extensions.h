/* The vendor's extensions of the MX interface. myriexpress.h describes what is common to all calls. */
#ifndef MX_EXTENSIONS_H
#define MX_EXTENSIONS_H

#include "myriexpress.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MX_HAS_ICONNECT_V2 1 /* mx_iconnect takes match_info */

/*
 * Connects as mx_connect does, but doesn't wait. The request completes with MX_STATUS_SUCCESS, and status.source is then the
 * address. Or it completes with MX_STATUS_ENDPOINT_CLOSED, MX_STATUS_BAD_KEY, MX_STATUS_BAD_ENDPOINT,
 * MX_STATUS_ENDPOINT_UNREACHABLE, MX_STATUS_NO_RESOURCES or MX_STATUS_TIMEOUT (mx_set_request_timeout). status.match_info is
 * the argument match_info, by which mx_test_any and mx_wait_any find the request.
 */
mx_return_t mx_iconnect(mx_endpoint_t endpoint, uint64_t nic_id, uint32_t endpoint_id, uint32_t key, uint64_t match_info,
                        void *context, mx_request_t *request);

/*
 * Ends the connection with an endpoint. Sends to it that are not complete end with MX_STATUS_ENDPOINT_UNREACHABLE, and so do
 * receives that had matched a message of it. Later sends to this address end with MX_STATUS_BAD_SESSION, until mx_connect gives
 * a new address. Gives MX_CLOSE_IN_HANDLER in an unexpected handler.
 */
mx_return_t mx_disconnect(mx_endpoint_t endpoint, mx_endpoint_addr_t addr);

enum mx_unexp_handler_action {
    MX_RECV_CONTINUE = 0, /* match the message with the receives (again), and keep it if no receive takes it */
    MX_RECV_FINISHED      /* the handler has dealt with the message: forget it */
};
typedef enum mx_unexp_handler_action mx_unexp_handler_action_t;

/*
 * The library calls this handler for a message that no receive has matched. The handler runs in the thread that makes progress,
 * before that thread's call returns. On one endpoint it runs for one message at a time, in the order of their arrival.
 *
 * The handler may call mx_isend, mx_issend, mx_irecv, mx_iconnect, mx_forget, the functions about addresses, and those without
 * an endpoint. In it mx_test, mx_test_any, mx_ipeek and mx_iprobe find nothing new. The waits (mx_wait, mx_wait_any, mx_peek,
 * mx_probe), mx_connect, mx_disconnect and mx_close_endpoint give MX_CLOSE_IN_HANDLER.
 *
 * source             the sender
 * data_if_available  the message's length bytes, valid until the handler returns. NULL if they have not arrived (see Limits in
 *                    myriexpress.h): to get them, the handler posts a receive and returns MX_RECV_CONTINUE
 */
typedef mx_unexp_handler_action_t (*mx_unexp_handler_t)(void *context, mx_endpoint_addr_t source, uint64_t match_value,
                                                        uint32_t length, void *data_if_available);

/*
 * Sets the endpoint's handler in place of the former one; NULL removes it. It is called for messages that arrive from now on.
 */
mx_return_t mx_register_unexp_handler(mx_endpoint_t endpoint, mx_unexp_handler_t handler, void *context);

/*
 * Gives a request away. The request goes on, but no call returns its completion. *request is NULL afterwards. The program then
 * knows only from the peer's messages when it may use the memory again. Closing the endpoint ends the request.
 * Errors: MX_BAD_REQUEST.
 */
mx_return_t mx_forget(mx_endpoint_t endpoint, mx_request_t *request);

/* Makes progress, and nothing else. Doesn't block. */
mx_return_t mx_progress(mx_endpoint_t endpoint);

/* A pointer of the program that belongs to an address. The program gets it again by the source of a message. NULL at first. */
mx_return_t mx_set_endpoint_addr_context(mx_endpoint_addr_t endpoint_addr, void *context);
mx_return_t mx_get_endpoint_addr_context(mx_endpoint_addr_t endpoint_addr, void **context);

/*
 * A request that is not complete milli_seconds from now completes with MX_STATUS_TIMEOUT. 0 removes the time-out. If request is
 * NULL, the call sets the time-out of each request that is made on this endpoint from now on. A message whose send has timed
 * out may still arrive. The library reads its memory until then, or until the peer is disconnected or the endpoint closed. A
 * receive does not time out once a long message is on its way to it.
 */
mx_return_t mx_set_request_timeout(mx_endpoint_t endpoint, mx_request_t request, uint32_t milli_seconds);

/*
 * As mx_decompose_endpoint_addr, but gives the session too. If two sources have the same ids and different sessions, the later
 * source is another endpoint, opened after the former one was closed, or another connection with the same endpoint, made after
 * the former one was lost. Only the sessions of sources can be compared: the session in the address of mx_get_endpoint_addr is
 * that of the endpoint alone.
 */
mx_return_t mx_decompose_endpoint_addr2(mx_endpoint_addr_t endpoint_addr, uint64_t *nic_id, uint32_t *endpoint_id,
                                        uint32_t *session_id);

#ifdef __cplusplus
}
#endif

#endif
