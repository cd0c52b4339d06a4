/*
 * The MX interface (Myrinet Express): messages that are matched by 64 bits, between endpoints of processes.
 *
 * This library carries them with UCX: between hosts over InfiniBand, RoCE or TCP, within one through shared memory. The
 * interface is number 0x301, the binary interface that of MX 1.2: a program written to a vendor's header runs unchanged.
 *
 * Common to all calls
 *   Errors     The result is MX_SUCCESS or an error. An error is first told to the endpoint's error handler, or to the
 *              global one where there is no endpoint: unless the program sets another, that is MX_ERRORS_ARE_FATAL, and
 *              the process ends. A call that fails has changed nothing unless it says otherwise. Besides the errors named
 *              at a call, each can give MX_NOT_INITIALIZED (no mx_init), MX_BAD_ENDPOINT (an endpoint that is NULL) and
 *              MX_NO_RESOURCES (no memory or descriptor left). Handles and pointers other than NULL are not checked.
 *   Status     What becomes of a message is no call's error: it is in the mx_status_t of the request that completes.
 *   Threads    Any call may be made by any thread at any time, with three exceptions: a request is tested, waited for,
 *              cancelled or forgotten by one thread at a time; mx_close_endpoint must not overlap with other calls on
 *              the endpoint (mx_wakeup ends the waits), nor mx_finalize with any.
 *   Progress   The library has no thread of its own that moves messages. They move while some thread is in a call that
 *              takes this endpoint and starts, tests, waits for, peeks or probes something, or in mx_progress. A program
 *              that computes for long keeps its peers waiting.
 *   Blocking   Only mx_connect, mx_wait, mx_wait_any, mx_peek and mx_probe block, each at most for its timeout, and
 *              mx_close_endpoint for a moment. They poll for some microseconds, then sleep.
 *   Units      Lengths are bytes. Timeouts are milliseconds; MX_INFINITE (0) waits for ever.
 *   Ownership  An endpoint belongs to the caller until mx_close_endpoint; a request until a test or wait that returns
 *              it complete, mx_cancel that succeeds, or mx_forget, each of which sets it to NULL. The memory of a message
 *              is the library's from the start of a send or receive to its completion (of a send: or mx_ibuffered). The
 *              list of segments is copied.
 *   Fork       A child of fork has no endpoints: it may call exec or _exit, or use what is not of this library. UCX's
 *              descriptors are not closed on exec: who runs other programs closes them in the child, lest it keep them.
 */
#ifndef MYRIEXPRESS_H
#define MYRIEXPRESS_H

#include <inttypes.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MX_API              0x301 /* the lower byte grows with compatible changes, the upper one with others */
#define MX_SIZEOF_ADDR      16
#define MX_MAX_SEGMENTS     256 /* of a send or receive */
#define MX_MAX_HOSTNAME_LEN 80  /* bytes of a name, its terminator included */
#define MX_MAX_STR_LEN      128 /* bytes of a text that mx_get_info gives, its terminator included */

#define MX_ANY_NIC      0xffffffffu /* any board: the first one */
#define MX_ANY_ENDPOINT 0xffffffffu /* any endpoint id that is free */

#define MX_INFINITE        0                /* a timeout: none */
#define MX_MATCH_MASK_NONE (~(uint64_t)0)   /* a mask: all 64 bits count */

typedef struct mx_endpoint *mx_endpoint_t;
typedef union mx_request *mx_request_t;

/*
 * An endpoint, as seen from one of ours: what mx_connect gives for another one, or the source of a message, which can be
 * answered to without connecting back. Opaque: only mx_decompose_endpoint_addr looks inside. It is of use in the process and for
 * the endpoint that it was given to, and may be copied.
 */
typedef struct {
    uint64_t stuff[MX_SIZEOF_ADDR / sizeof(uint64_t)];
} mx_endpoint_addr_t;

typedef void *mx_segment_ptr_t;

/* A piece of a message's memory. The pieces of one are joined in order; one of length 0 may have any pointer. */
typedef struct {
    mx_segment_ptr_t segment_ptr;
    uint32_t segment_length;
} mx_segment_t;

/* What a call returns. Those marked - are of the interface, but no call of this library returns them. */
enum mx_return_code {
    MX_SUCCESS                          = 0,
    MX_BAD_BAD_BAD                      = 1,  /* UCX failed in a way that MX has no code for */
    MX_FAILURE                          = 2,  /* - */
    MX_ALREADY_INITIALIZED              = 3,  /* mx_init once more */
    MX_NOT_INITIALIZED                  = 4,  /* no mx_init, or mx_finalize since */
    MX_NO_DEV                           = 5,  /* no UCX, or it finds no network; see mx_shim_probe */
    MX_NO_DRIVER                        = 6,  /* - */
    MX_NO_PERM                          = 7,  /* - */
    MX_BOARD_UNKNOWN                    = 8,  /* there is no board of that number */
    MX_BAD_ENDPOINT                     = 9,  /* the endpoint is NULL */
    MX_BAD_SEG_LIST                     = 10, /* no list, though the count of segments is not 0 */
    MX_BAD_SEG_MEM                      = 11, /* a segment at NULL whose length is not 0 */
    MX_BAD_SEG_CNT                      = 12, /* more than MX_MAX_SEGMENTS, or more than 4 GiB - 1 together */
    MX_BAD_REQUEST                      = 13, /* the request is NULL, or not of a kind that the call takes */
    MX_BAD_MATCH_MASK                   = 14, /* match_info has bits that match_mask lacks */
    MX_NO_RESOURCES                     = 15, /* no memory, descriptor or port left */
    MX_BAD_ADDR_LIST                    = 16, /* - */
    MX_BAD_ADDR_COUNT                   = 17, /* - */
    MX_BAD_ROOT                         = 18, /* - */
    MX_NOT_COMPLETED                    = 19, /* - */
    MX_BUSY                             = 20, /* the endpoint id is in use; endpoints are still open */
    MX_BAD_INFO_KEY                     = 21, /* mx_get_info knows no such key */
    MX_BAD_INFO_VAL                     = 22, /* nowhere to put what mx_get_info found, or its input is wrong */
    MX_BAD_NIC                          = 23, /* - */
    MX_BAD_PARAM_LIST                   = 24, /* no list, though the count of parameters is not 0 */
    MX_BAD_PARAM_NAME                   = 25, /* a parameter with an unknown key */
    MX_BAD_PARAM_VAL                    = 26, /* a parameter with a value that is not allowed */
    MX_BAD_HOSTNAME_ARGS                = 27, /* a host's name, or where the answer goes, is NULL */
    MX_HOST_NOT_FOUND                   = 28, /* no host has that name */
    MX_REQUEST_PENDING                  = 29, /* - */
    MX_TIMEOUT                          = 30, /* mx_connect: nobody answered in time */
    MX_NO_MATCH                         = 31, /* - */
    MX_BAD_ENDPOINT_ID                  = 32, /* an endpoint id beyond what mx_get_info(MX_MAX_NATIVE_ENDPOINTS) allows */
    MX_CONNECTION_FAILED                = 33, /* mx_connect: there is no endpoint of that id */
    MX_BAD_CONNECTION_KEY               = 34, /* mx_connect: it was opened with another key */
    MX_BAD_INFO_LENGTH                  = 35, /* what mx_get_info found is longer than out_len */
    MX_NIC_NOT_FOUND                    = 36, /* no board here, or none that can be reached, has that id */
    MX_BAD_KERNEL_VERSION               = 37, /* - */
    MX_BAD_LIB_VERSION                  = 38, /* the program was compiled for an MX_API that this library isn't */
    MX_NIC_DEAD                         = 39, /* the board's network interface isn't running, or UCX is to do without it */
    MX_CANCEL_NOT_SUPPORTED             = 40, /* mx_cancel of anything but a receive */
    MX_CLOSE_IN_HANDLER                 = 41, /* a call that an unexpected handler must not make */
    MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK = 42, /* match_mask lacks bits of the context id */
    MX_NOT_SUPPORTED_WITH_CONTEXT_ID    = 43  /* mx_ipeek and mx_peek with MX_PARAM_CONTEXT_ID */
};
typedef enum mx_return_code mx_return_t;

/* What became of a request. Those marked - are of the interface, but don't come from this library. */
enum mx_status_code {
    MX_STATUS_SUCCESS              = 0,
    MX_STATUS_PENDING              = 1,  /* - */
    MX_STATUS_BUFFERED             = 2,  /* - */
    MX_STATUS_REJECTED             = 3,  /* - */
    MX_STATUS_TIMEOUT              = 4,  /* mx_set_request_timeout was over first */
    MX_STATUS_TRUNCATED            = 5,  /* the message was longer than the receive's segments: the rest is lost */
    MX_STATUS_CANCELLED            = 6,  /* - : mx_cancel that succeeds gives no status */
    MX_STATUS_ENDPOINT_UNKNOWN     = 7,  /* - */
    MX_STATUS_ENDPOINT_CLOSED      = 8,  /* the other endpoint was closed; mx_iconnect: there is none of that id */
    MX_STATUS_ENDPOINT_UNREACHABLE = 9,  /* the other process or its host died, or mx_disconnect took the peer away */
    MX_STATUS_BAD_SESSION          = 10, /* no connection to that address: never made, or of the past */
    MX_STATUS_BAD_KEY              = 11, /* mx_iconnect: the endpoint was opened with another key */
    MX_STATUS_BAD_ENDPOINT         = 12, /* mx_iconnect: an endpoint id beyond the largest */
    MX_STATUS_BAD_RDMAWIN          = 13, /* - */
    MX_STATUS_ABORTED              = 14, /* - */
    MX_STATUS_EVENTQ_FULL          = 15, /* - */
    MX_STATUS_NO_RESOURCES         = 16  /* no memory for the message */
};
typedef enum mx_status_code mx_status_code_t;

typedef struct mx_status {
    mx_status_code_t code;
    mx_endpoint_addr_t source; /* of a receive or probe: the sender; of a send: where to; of mx_iconnect: the new address */
    uint64_t match_info;       /* the message's; of mx_iconnect: its argument */
    uint32_t msg_length;       /* of the message as it was sent */
    uint32_t xfer_length;      /* of a receive: bytes that were stored; of a send: bytes sent, whatever the receiver took */
    void *context;             /* the request's */
} mx_status_t;

/* ---- the library ------------------------------------------------------------------------------------------------ */

/*
 * Initialises the library: opens UCX. Doesn't touch the network, nor any signal's disposition.
 *
 * MX_ALREADY_INITIALIZED (never told to an error handler), MX_BAD_LIB_VERSION, MX_NO_DEV.
 */
#define mx_init() mx__init_api(MX_API)
mx_return_t mx__init_api(int api);

/* Gives back what mx_init took; mx_init may follow again. MX_BUSY while endpoints are open. */
mx_return_t mx_finalize(void);

/*
 * What to do about errors. A handler gets a text of one line, which is the library's and valid until it returns, and the
 * error; what it returns the call returns. It runs in the thread that made the call, with no lock held, and may make any
 * call.
 */
typedef mx_return_t (*mx_error_handler_t)(char *str, mx_return_t ret);

extern const mx_error_handler_t MX_ERRORS_ARE_FATAL; /* writes the text to stderr and calls abort() */
extern const mx_error_handler_t MX_ERRORS_RETURN;    /* returns the error */

/*
 * Sets the global handler: for calls without an endpoint, and for endpoints that are opened from now on without a handler
 * of their own. Returns the former one. NULL stands for MX_ERRORS_ARE_FATAL. The only call that may come before mx_init.
 */
mx_error_handler_t mx_set_error_handler(mx_error_handler_t handler);

/* A text for an error or status; constant, never NULL. Needs no mx_init. */
const char *mx_strerror(mx_return_t return_code);
const char *mx_strstatus(mx_status_code_t status);

/* ---- boards and hosts ------------------------------------------------------------------------------------------- */

/*
 * A board is a way into the network, with an id that is unique among all hosts; numbers count from 0. Here board 0 is the
 * host's own, and others are its further network interfaces. A host's name may be followed by ':' and a board number.
 * The look-ups of names may ask the system's resolver, and block as long as that does.
 */

/* The id of a board of this host. MX_BOARD_UNKNOWN. */
mx_return_t mx_board_number_to_nic_id(uint32_t board_number, uint64_t *nic_id);

/* The number of the board of this host that has the id. MX_NIC_NOT_FOUND. */
mx_return_t mx_nic_id_to_board_number(uint64_t nic_id, uint32_t *board_number);

/* The id of a board of any host: hostname is "name", "name:board" or an IPv4 address. MX_BAD_HOSTNAME_ARGS, MX_HOST_NOT_FOUND. */
mx_return_t mx_hostname_to_nic_id(char *hostname, uint64_t *nic_id);

/* The name of the board, in MX_MAX_HOSTNAME_LEN bytes of the caller's; its address if it has no name. MX_NIC_NOT_FOUND. */
mx_return_t mx_nic_id_to_hostname(uint64_t nic_id, char *hostname);

typedef enum mx_line_speed { MX_SPEED_2G, MX_SPEED_10G, MX_SPEED_OPEN_MX } mx_line_speed_t;
enum mx_net_type { MX_NET_MYRI, MX_NET_ETHER };
typedef enum mx_net_type mx_net_type_t;
#define MX_HAS_NET_TYPE

/* What mx_get_info tells, and its type. "of a board": the input is its number, a uint32_t. */
enum mx_get_info_key {
    MX_NIC_COUNT            = 1,  /* uint32_t: boards of this host */
    MX_NIC_IDS              = 2,  /* uint64_t[]: their ids, then 0 if there is room */
    MX_MAX_NATIVE_ENDPOINTS = 3,  /* uint32_t: endpoint ids are smaller than this */
    MX_NATIVE_REQUESTS      = 4,  /* uint32_t: requests at a time, as far as memory reaches */
    MX_COUNTERS_COUNT       = 5,  /* uint32_t of a board: 0 here */
    MX_COUNTERS_LABELS      = 6,  /* char[][MX_MAX_STR_LEN] of a board: none here */
    MX_COUNTERS_VALUES      = 7,  /* uint32_t[] of a board: none here */
    MX_PRODUCT_CODE         = 8,  /* char[] of a board: "UCX" and its version */
    MX_PART_NUMBER          = 9,  /* char[] of a board: the network interface, "" if it is no particular one */
    MX_SERIAL_NUMBER        = 10, /* char[] of a board: its id in hexadecimal digits */
    MX_PORT_COUNT           = 11, /* uint32_t of a board: 1 here */
    MX_PIO_SEND_MAX         = 12, /* uint32_t: a send of up to that many bytes completes at once */
    MX_COPY_SEND_MAX        = 13, /* uint32_t: the longest message whose bytes are sent before a receive matches it */
    MX_NUMA_NODE            = 14, /* uint32_t of a board: 0xffffffff, unknown */
    MX_NET_TYPE             = 15, /* uint32_t of a board: MX_NET_ETHER */
    MX_LINE_SPEED           = 16  /* uint32_t of a board: MX_SPEED_OPEN_MX, which is none in particular */
};
typedef enum mx_get_info_key mx_get_info_key_t;

/*
 * Tells something about this host's boards.
 *
 * endpoint  NULL, or one, whose error handler is then told
 * in_val    NULL or in_len bytes: what the key takes; without a board number the first board is meant
 * out_val   out_len bytes of the caller's for the answer
 * errors    MX_BAD_INFO_KEY, MX_BAD_INFO_VAL, MX_BAD_INFO_LENGTH, MX_BOARD_UNKNOWN
 */
mx_return_t mx_get_info(mx_endpoint_t endpoint, mx_get_info_key_t key, void *in_val, uint32_t in_len, void *out_val,
                        uint32_t out_len);

/* ---- endpoints -------------------------------------------------------------------------------------------------- */

enum mx_param_key {
    MX_PARAM_ERROR_HANDLER   = 0, /* the endpoint's own, in place of the global one */
    MX_PARAM_UNEXP_QUEUE_MAX = 1, /* bytes of unexpected messages to hold; advice that is not taken: 16 MiB of each sender */
    MX_PARAM_CONTEXT_ID      = 2  /* bits of match_info that each mask has */
};
typedef enum mx_param_key mx_param_key_t;

#define MX_CONTEXT_ID_BITS_MAX 16

typedef struct {
    mx_param_key_t key;
    union {
        mx_error_handler_t error_handler;
        uint32_t unexp_queue_max;
        struct {
            uint8_t bits;  /* how many, at most MX_CONTEXT_ID_BITS_MAX */
            uint8_t shift; /* the lowest one's position; bits + shift is at most 64 */
        } context_id;
    } val;
} mx_param_t;

/*
 * Opens an endpoint: from now on others can connect.
 *
 * board_number   a board of this host, or MX_ANY_NIC
 * endpoint_id    unique to the board among all processes, or MX_ANY_ENDPOINT for one that is free
 * endpoint_key   whoever connects must give the same
 * params_array   params_count parameters, or NULL; copied
 * endpoint       receives the endpoint
 * errors         MX_BOARD_UNKNOWN, MX_BAD_ENDPOINT_ID, MX_BUSY, MX_BAD_PARAM_LIST, MX_BAD_PARAM_NAME, MX_BAD_PARAM_VAL,
 *                MX_NIC_DEAD
 */
mx_return_t mx_open_endpoint(uint32_t board_number, uint32_t endpoint_id, uint32_t endpoint_key, mx_param_t *params_array,
                             uint32_t params_count, mx_endpoint_t *endpoint);

/*
 * Closes an endpoint. Its requests are gone, complete or not, and so are messages that no receive has taken. Sends that
 * have completed are delivered as far as the peer lives. Those who are connected get MX_STATUS_ENDPOINT_CLOSED.
 *
 * MX_CLOSE_IN_HANDLER in the endpoint's unexpected handler.
 */
mx_return_t mx_close_endpoint(mx_endpoint_t endpoint);

/*
 * Ends the waits of other threads: those that are in mx_wait, mx_wait_any, mx_peek or mx_probe on this endpoint return
 * MX_SUCCESS with result 0, as after a time-out. A wait that begins later is not affected.
 */
mx_return_t mx_wakeup(mx_endpoint_t endpoint);

/*
 * From mx_disable_progression on, no message moves on this endpoint and its unexpected handler is not called, whatever
 * call a thread makes: tests find only what had completed before, waits wait. Until mx_reenable_progression. They don't nest.
 */
mx_return_t mx_disable_progression(mx_endpoint_t endpoint);
mx_return_t mx_reenable_progression(mx_endpoint_t endpoint);

/* Our own address, for mx_decompose_endpoint_addr, or to send to ourselves once mx_connect has been called for it. */
mx_return_t mx_get_endpoint_addr(mx_endpoint_t endpoint, mx_endpoint_addr_t *endpoint_addr);

/* The board id and endpoint id of an address; either pointer may be NULL. MX_BAD_BAD_BAD for what is no address. */
mx_return_t mx_decompose_endpoint_addr(mx_endpoint_addr_t endpoint_addr, uint64_t *nic_id, uint32_t *endpoint_id);

/*
 * Connects to an endpoint of this or another host, this process's included. Both ends can then send to each other. One that
 * is connected already gives the same address at once. (mx_iconnect in mx_extensions.h doesn't wait.)
 *
 * nic_id, endpoint_id   which
 * key                   the one that it was opened with
 * timeout               ms
 * addr                  receives the address to send to
 * errors                MX_TIMEOUT, MX_CONNECTION_FAILED, MX_BAD_CONNECTION_KEY, MX_BAD_ENDPOINT_ID, MX_NIC_NOT_FOUND
 *
 * For the answer to come, the other endpoint has to be in somebody's call too: between two of one process that takes a second
 * thread, or mx_iconnect. mx_wakeup doesn't end it. MX_CLOSE_IN_HANDLER in an unexpected handler.
 */
mx_return_t mx_connect(mx_endpoint_t endpoint, uint64_t nic_id, uint32_t endpoint_id, uint32_t key, uint32_t timeout,
                       mx_endpoint_addr_t *addr);

/* ---- messages --------------------------------------------------------------------------------------------------- */

/*
 * Matching: a receive takes a message if (message's match_info & match_mask) == match_info of the receive. Mask 0, with
 * match_info 0, takes any. Messages from one endpoint to another are matched in the order in which they were sent, whatever
 * their lengths; receives in the order in which they were posted. Completions come in any order.
 *
 * Segments: segments_count 0 is a message of length 0, and segments_list may then be NULL. Errors of the three calls:
 * MX_BAD_SEG_LIST, MX_BAD_SEG_MEM, MX_BAD_SEG_CNT; of mx_irecv MX_BAD_MATCH_MASK and MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK.
 *
 * All three return at once and set *request. A message that can't be delivered completes with the status that says why.
 *
 * Limits: of what one endpoint has sent to another, and no receive or unexpected handler there has taken, 65,536 messages and
 * 16 MiB of bytes are under way or kept. What is longer than MX_COPY_SEND_MAX or beyond the 16 MiB leaves its bytes in the sender's
 * memory until a receive matches it. What is beyond the 65,536 waits at the sender, in order, and isn't seen by the receiver's
 * probes. Both ends as others do: by a time-out, by the end of the connection. The sender hears of what was taken when it is a
 * quarter of either: up to that much less may go. So a program that sends receives too, and doesn't wait for its sends first.
 */

/* Sends. Complete when the memory may be used again: up to the limits that says nothing about the receiver. */
mx_return_t mx_isend(mx_endpoint_t endpoint, mx_segment_t *segments_list, uint32_t segments_count,
                     mx_endpoint_addr_t dest_endpoint, uint64_t match_info, void *context, mx_request_t *request);

/* Sends. Complete only when, besides, a receive has matched the message. */
mx_return_t mx_issend(mx_endpoint_t endpoint, mx_segment_t *segments_list, uint32_t segments_count,
                      mx_endpoint_addr_t dest_endpoint, uint64_t match_info, void *context, mx_request_t *request);

/* Receives one message, from whomever. */
mx_return_t mx_irecv(mx_endpoint_t endpoint, mx_segment_t *segments_list, uint32_t segments_count, uint64_t match_info,
                     uint64_t match_mask, void *context, mx_request_t *request);

/*
 * Takes a receive back. *result is 1 and *request NULL if no message had matched it; else *result is 0, and the request
 * completes as if nothing had happened. MX_BAD_REQUEST, MX_CANCEL_NOT_SUPPORTED.
 */
mx_return_t mx_cancel(mx_endpoint_t endpoint, mx_request_t *request, uint32_t *result);

/*
 * Whether the memory of a send may be used again, though the send may not be complete: *result is 1 or 0.
 * MX_BAD_REQUEST for other requests.
 */
mx_return_t mx_ibuffered(mx_endpoint_t endpoint, mx_request_t *request, uint32_t *result);

/* The context that the request was made with. MX_BAD_REQUEST. */
mx_return_t mx_context(mx_request_t *request, void **context);

/* ---- completion ------------------------------------------------------------------------------------------------- */

/*
 * Of all of these *result is 1 if there is something, and then status or request is written; else it is 0, which is no
 * error: the time is over, or somebody called mx_wakeup. The waits return at once if there is something already.
 */

/* Is this request complete? If so it is gone: *request is NULL. MX_BAD_REQUEST. */
mx_return_t mx_test(mx_endpoint_t endpoint, mx_request_t *request, mx_status_t *status, uint32_t *result);
mx_return_t mx_wait(mx_endpoint_t endpoint, mx_request_t *request, uint32_t timeout, mx_status_t *status, uint32_t *result);

/*
 * Is a request complete whose status has (match_info & match_mask) == match_info? It is gone then; status.context tells
 * which one it was. Don't use its handle any more. The one that completed first comes first.
 * MX_BAD_MATCH_MASK, MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK.
 */
mx_return_t mx_test_any(mx_endpoint_t endpoint, uint64_t match_info, uint64_t match_mask, mx_status_t *status,
                        uint32_t *result);
mx_return_t mx_wait_any(mx_endpoint_t endpoint, uint32_t timeout, uint64_t match_info, uint64_t match_mask,
                        mx_status_t *status, uint32_t *result);

/*
 * Which request completed first, of those that are complete? It stays: mx_test is still to be called for it.
 * MX_NOT_SUPPORTED_WITH_CONTEXT_ID.
 */
mx_return_t mx_ipeek(mx_endpoint_t endpoint, mx_request_t *request, uint32_t *result);
mx_return_t mx_peek(mx_endpoint_t endpoint, uint32_t timeout, mx_request_t *request, uint32_t *result);

/*
 * Is there a message that no receive has matched yet, but one with this match_info and match_mask would? The first one's
 * source, match_info and msg_length are in status; xfer_length and context mean nothing. The message stays.
 * MX_BAD_MATCH_MASK, MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK.
 */
mx_return_t mx_iprobe(mx_endpoint_t endpoint, uint64_t match_info, uint64_t match_mask, mx_status_t *status,
                      uint32_t *result);
mx_return_t mx_probe(mx_endpoint_t endpoint, uint32_t timeout, uint64_t match_info, uint64_t match_mask, mx_status_t *status,
                     uint32_t *result);

/* The halves of a 64-bit number, for printing. */
#define MX_U32(x) ((uint32_t)((uint64_t)(x) >> 32))
#define MX_L32(x) ((uint32_t)(x))

#ifdef __cplusplus
}
#endif

#endif
