/*
 * The MX interface (Myrinet Express): messages that are matched by 64 bits, between endpoints of processes.
 *
 * This library carries them with UCX: between hosts over InfiniBand, RoCE or TCP, within one host through shared memory. The
 * interface has the number 0x301. The binary interface is that of MX 1.2: a program that was written to a vendor's header runs
 * unchanged.
 *
 * Common to all calls
 *   Errors     The result is MX_SUCCESS or an error. The library first tells an error to the endpoint's error handler, or to
 *              the global handler where there is no endpoint. Unless the program sets another handler, that is
 *              MX_ERRORS_ARE_FATAL, and the process ends. A call that fails has changed nothing, unless its comment says
 *              otherwise. Besides the errors named at a call, each call can give MX_NOT_INITIALIZED (no mx_init),
 *              MX_BAD_ENDPOINT (an endpoint that is NULL) and MX_NO_RESOURCES (no memory or descriptor left). The library does
 *              not check handles and pointers other than NULL.
 *   Status     The outcome of a message is not an error of a call. It is in the mx_status_t of the request that completes.
 *   Threads    Any thread may make any call at any time, with three exceptions. Only one thread at a time tests, waits for,
 *              cancels or forgets a request. mx_close_endpoint must not overlap with other calls on the endpoint (mx_wakeup
 *              ends the waits). mx_finalize must not overlap with any call.
 *   Progress   The library has no thread of its own that moves messages. Messages move while some thread is in a call that
 *              takes this endpoint and starts, tests, waits for, peeks or probes something, or in mx_progress. A program that
 *              computes for long keeps its peers waiting.
 *   Blocking   Only mx_connect, mx_wait, mx_wait_any, mx_peek and mx_probe block, each at most for its timeout, and
 *              mx_close_endpoint for a moment. They poll for some microseconds, then sleep.
 *   Units      Lengths are bytes. Timeouts are milliseconds; MX_INFINITE (0) waits for ever.
 *   Ownership  An endpoint belongs to the caller until mx_close_endpoint. A request belongs to the caller until a test or wait
 *              returns it complete, until mx_cancel succeeds, or until mx_forget. A call that takes a pointer to the request
 *              then sets it to NULL. The memory of a message belongs to the library from the start of a send or receive to its
 *              completion; that of a send only until mx_ibuffered gives 1, which is at once for a short message
 *              (MX_PIO_SEND_MAX). The library copies the list of segments.
 *   Fork       A child of fork has no endpoints. It may call exec or _exit, or use what is not part of this library. UCX's
 *              descriptors are not closed on exec. A program that runs other programs closes them in the child, so that the
 *              other program does not keep them.
 */
#ifndef MYRIEXPRESS_H
#define MYRIEXPRESS_H

#include <inttypes.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MX_API              0x301 /* the lower byte grows with compatible changes, the upper byte with others */
#define MX_SIZEOF_ADDR      16
#define MX_MAX_SEGMENTS     256 /* of a send or receive */
#define MX_MAX_HOSTNAME_LEN 80  /* bytes of a name, its terminator included */
#define MX_MAX_STR_LEN      128 /* bytes of a text that mx_get_info gives, its terminator included */

#define MX_ANY_NIC      0xffffffffu /* any board: the first one */
#define MX_ANY_ENDPOINT 0xffffffffu /* any endpoint id that is free */

#define MX_INFINITE        0                /* as a timeout: no limit */
#define MX_MATCH_MASK_NONE (~(uint64_t)0)   /* as a mask: all 64 bits are compared */

typedef struct mx_endpoint *mx_endpoint_t;
typedef union mx_request *mx_request_t;

/*
 * The address of an endpoint, as seen from an endpoint of this process. mx_connect gives it for another endpoint. It is also
 * the source of a message, and the program can answer to it without connecting back. Opaque: only mx_decompose_endpoint_addr
 * looks inside. It is valid only in the process and for the endpoint that it was given to, and may be copied.
 */
typedef struct {
    uint64_t stuff[MX_SIZEOF_ADDR / sizeof(uint64_t)];
} mx_endpoint_addr_t;

typedef void *mx_segment_ptr_t;

/*
 * A piece of a message's memory. The library joins the pieces of a message in order. A piece of length 0 may have any pointer.
 */
typedef struct {
    mx_segment_ptr_t segment_ptr;
    uint32_t segment_length;
} mx_segment_t;

/* What a call returns. Codes marked - belong to the interface, but no call of this library returns them. */
enum mx_return_code {
    MX_SUCCESS                          = 0,
    MX_BAD_BAD_BAD                      = 1,  /* UCX failed in a way that MX has no code for */
    MX_FAILURE                          = 2,  /* - */
    MX_ALREADY_INITIALIZED              = 3,  /* mx_init was called again */
    MX_NOT_INITIALIZED                  = 4,  /* mx_init was not called, or mx_finalize has been called since */
    MX_NO_DEV                           = 5,  /* no UCX, no network, or a wrong setting; see mx_shim_probe */
    MX_NO_DRIVER                        = 6,  /* - */
    MX_NO_PERM                          = 7,  /* - */
    MX_BOARD_UNKNOWN                    = 8,  /* there is no board with that number */
    MX_BAD_ENDPOINT                     = 9,  /* the endpoint is NULL */
    MX_BAD_SEG_LIST                     = 10, /* the list is NULL, though the count of segments is not 0 */
    MX_BAD_SEG_MEM                      = 11, /* a segment's pointer is NULL, though its length is not 0 */
    MX_BAD_SEG_CNT                      = 12, /* more than MX_MAX_SEGMENTS segments, or more than 4 GiB - 1 bytes together */
    MX_BAD_REQUEST                      = 13, /* the request is NULL, or the call does not take this kind of request */
    MX_BAD_MATCH_MASK                   = 14, /* match_info has bits that match_mask lacks */
    MX_NO_RESOURCES                     = 15, /* no memory, descriptor or port left */
    MX_BAD_ADDR_LIST                    = 16, /* - */
    MX_BAD_ADDR_COUNT                   = 17, /* - */
    MX_BAD_ROOT                         = 18, /* - */
    MX_NOT_COMPLETED                    = 19, /* - */
    MX_BUSY                             = 20, /* mx_open_endpoint: the endpoint id is in use; mx_finalize: endpoints are still open */
    MX_BAD_INFO_KEY                     = 21, /* mx_get_info knows no such key */
    MX_BAD_INFO_VAL                     = 22, /* mx_get_info: out_val is NULL, or in_len is wrong */
    MX_BAD_NIC                          = 23, /* - */
    MX_BAD_PARAM_LIST                   = 24, /* the list is NULL, though the count of parameters is not 0 */
    MX_BAD_PARAM_NAME                   = 25, /* a parameter with an unknown key */
    MX_BAD_PARAM_VAL                    = 26, /* a parameter with a value that is not allowed */
    MX_BAD_HOSTNAME_ARGS                = 27, /* the host name, or the pointer for the answer, is NULL */
    MX_HOST_NOT_FOUND                   = 28, /* no host has that name */
    MX_REQUEST_PENDING                  = 29, /* - */
    MX_TIMEOUT                          = 30, /* mx_connect: the other endpoint did not answer in time, or mx_wakeup was called */
    MX_NO_MATCH                         = 31, /* - */
    MX_BAD_ENDPOINT_ID                  = 32, /* an endpoint id beyond what mx_get_info(MX_MAX_NATIVE_ENDPOINTS) allows */
    MX_CONNECTION_FAILED                = 33, /* mx_connect: there is no endpoint with that id, or it can't be reached */
    MX_BAD_CONNECTION_KEY               = 34, /* mx_connect: the endpoint was opened with another key */
    MX_BAD_INFO_LENGTH                  = 35, /* mx_get_info: the answer is longer than out_len */
    MX_NIC_NOT_FOUND                    = 36, /* no board of this host has that id, or no board can have it */
    MX_BAD_KERNEL_VERSION               = 37, /* - */
    MX_BAD_LIB_VERSION                  = 38, /* the program was compiled for an MX_API that this library does not support */
    MX_NIC_DEAD                         = 39, /* the board's network interface isn't running, or UCX's settings exclude it */
    MX_CANCEL_NOT_SUPPORTED             = 40, /* mx_cancel of anything but a receive */
    MX_CLOSE_IN_HANDLER                 = 41, /* a call that an unexpected handler must not make */
    MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK = 42, /* match_mask lacks bits of the context id */
    MX_NOT_SUPPORTED_WITH_CONTEXT_ID    = 43  /* mx_ipeek and mx_peek with MX_PARAM_CONTEXT_ID */
};
typedef enum mx_return_code mx_return_t;

/* The outcome of a request. Codes marked - belong to the interface, but this library does not give them. */
enum mx_status_code {
    MX_STATUS_SUCCESS              = 0,
    MX_STATUS_PENDING              = 1,  /* - */
    MX_STATUS_BUFFERED             = 2,  /* - */
    MX_STATUS_REJECTED             = 3,  /* - */
    MX_STATUS_TIMEOUT              = 4,  /* the time of mx_set_request_timeout was over first */
    MX_STATUS_TRUNCATED            = 5,  /* the message was longer than the receive's segments: the rest is lost */
    MX_STATUS_CANCELLED            = 6,  /* - : a successful mx_cancel gives no status */
    MX_STATUS_ENDPOINT_UNKNOWN     = 7,  /* - */
    MX_STATUS_ENDPOINT_CLOSED      = 8,  /* the other endpoint was closed; mx_iconnect: there is none with that id */
    MX_STATUS_ENDPOINT_UNREACHABLE = 9,  /* the other process or its host died, or mx_disconnect ended the connection */
    MX_STATUS_BAD_SESSION          = 10, /* there is no connection to that address: it was never made, or it has ended */
    MX_STATUS_BAD_KEY              = 11, /* mx_iconnect: the endpoint was opened with another key */
    MX_STATUS_BAD_ENDPOINT         = 12, /* mx_iconnect: the endpoint id is larger than allowed */
    MX_STATUS_BAD_RDMAWIN          = 13, /* - */
    MX_STATUS_ABORTED              = 14, /* - */
    MX_STATUS_EVENTQ_FULL          = 15, /* - */
    MX_STATUS_NO_RESOURCES         = 16  /* no memory for the message; mx_iconnect: no resources here or at the other endpoint */
};
typedef enum mx_status_code mx_status_code_t;

typedef struct mx_status {
    mx_status_code_t code;
    mx_endpoint_addr_t source; /* receive or probe: the sender; send: the destination; mx_iconnect: the new address */
    uint64_t match_info;       /* of the message; mx_iconnect: its argument */
    uint32_t msg_length;       /* length of the message as it was sent */
    uint32_t xfer_length;      /* receive: bytes that were stored; send: bytes sent, however many the receiver took */
    void *context;             /* of the request */
} mx_status_t;

/* ---- the library ------------------------------------------------------------------------------------------------ */

/*
 * Initialises the library and opens UCX. Doesn't touch the network, and changes no signal's disposition.
 *
 * Errors: MX_ALREADY_INITIALIZED (never told to an error handler), MX_BAD_LIB_VERSION, MX_NO_DEV.
 */
#define mx_init() mx__init_api(MX_API)
mx_return_t mx__init_api(int api);

/* Ends what mx_init began; the program may call mx_init again. MX_BUSY while endpoints are open. */
mx_return_t mx_finalize(void);

/*
 * Handles errors. The library passes a text of one line and the error. The text belongs to the library and is valid until the
 * handler returns. The call returns what the handler returns. The handler runs in the thread that made the call, with no lock
 * held, and may make any call. If the call was made in an unexpected handler, the endpoint's lock is still held, and the limits
 * of that handler apply.
 */
typedef mx_return_t (*mx_error_handler_t)(char *str, mx_return_t ret);

extern const mx_error_handler_t MX_ERRORS_ARE_FATAL; /* writes the text to stderr and calls abort() */
extern const mx_error_handler_t MX_ERRORS_RETURN;    /* returns the error */

/*
 * Sets the global handler. It is for calls without an endpoint, and for endpoints that are opened from now on without a handler
 * of their own. Returns the former handler. NULL stands for MX_ERRORS_ARE_FATAL. May be called before mx_init.
 */
mx_error_handler_t mx_set_error_handler(mx_error_handler_t handler);

/* A text for an error or status: constant, never NULL. Needs no mx_init. */
const char *mx_strerror(mx_return_t return_code);
const char *mx_strstatus(mx_status_code_t status);

/* ---- boards and hosts ------------------------------------------------------------------------------------------- */

/*
 * A board gives access to the network. Its id is unique among all hosts; its number counts from 0 on its host. In this library
 * each board is a network interface of the host: they are numbered in the kernel's order, and loopback comes last. A host's
 * name may be followed by ':' and a board number. Functions that look up names may ask the system's resolver, and block as long
 * as the resolver does.
 */

/* The id of a board of this host. Errors: MX_BOARD_UNKNOWN. */
mx_return_t mx_board_number_to_nic_id(uint32_t board_number, uint64_t *nic_id);

/* The number of the board of this host that has the id. Errors: MX_NIC_NOT_FOUND. */
mx_return_t mx_nic_id_to_board_number(uint64_t nic_id, uint32_t *board_number);

/*
 * The id of a board of any host. hostname is "name", "name:board" or an IPv4 address.
 * Errors: MX_BAD_HOSTNAME_ARGS, MX_HOST_NOT_FOUND.
 */
mx_return_t mx_hostname_to_nic_id(char *hostname, uint64_t *nic_id);

/*
 * Writes the name of the board, or its address if it has no name, to MX_MAX_HOSTNAME_LEN bytes of the caller.
 * Errors: MX_BAD_HOSTNAME_ARGS, MX_NIC_NOT_FOUND.
 */
mx_return_t mx_nic_id_to_hostname(uint64_t nic_id, char *hostname);

typedef enum mx_line_speed { MX_SPEED_2G, MX_SPEED_10G, MX_SPEED_OPEN_MX } mx_line_speed_t;
enum mx_net_type { MX_NET_MYRI, MX_NET_ETHER };
typedef enum mx_net_type mx_net_type_t;
#define MX_HAS_NET_TYPE

/* What mx_get_info gives, and its type. "of a board": the input is the board's number, a uint32_t. */
enum mx_get_info_key {
    MX_NIC_COUNT            = 1,  /* uint32_t: boards of this host */
    MX_NIC_IDS              = 2,  /* uint64_t[]: their ids, then 0 if there is room */
    MX_MAX_NATIVE_ENDPOINTS = 3,  /* uint32_t: endpoint ids are smaller than this */
    MX_NATIVE_REQUESTS      = 4,  /* uint32_t: requests at a time, if there is memory for them */
    MX_COUNTERS_COUNT       = 5,  /* uint32_t of a board: 0 here */
    MX_COUNTERS_LABELS      = 6,  /* char[][MX_MAX_STR_LEN] of a board: none here */
    MX_COUNTERS_VALUES      = 7,  /* uint32_t[] of a board: none here */
    MX_PRODUCT_CODE         = 8,  /* char[] of a board: "UCX" and its version */
    MX_PART_NUMBER          = 9,  /* char[] of a board: the name of its network interface */
    MX_SERIAL_NUMBER        = 10, /* char[] of a board: its id in hexadecimal digits */
    MX_PORT_COUNT           = 11, /* uint32_t of a board: 1 here */
    MX_PIO_SEND_MAX         = 12, /* uint32_t: a send copies up to that many bytes at once: 128 here, as on a card */
    MX_COPY_SEND_MAX        = 13, /* uint32_t: longer messages may wait for a receive; through shared memory from 256 KB on */
    MX_NUMA_NODE            = 14, /* uint32_t of a board: 0xffffffff, unknown */
    MX_NET_TYPE             = 15, /* uint32_t of a board: MX_NET_ETHER */
    MX_LINE_SPEED           = 16  /* uint32_t of a board: MX_SPEED_OPEN_MX, which means no particular speed */
};
typedef enum mx_get_info_key mx_get_info_key_t;

/*
 * Gives information about this host's boards.
 *
 * endpoint  NULL, or an endpoint, whose error handler is then told about an error
 * in_val    NULL, or in_len bytes: the input that the key takes. Without a board number the call is about the first board
 * out_val   out_len bytes of the caller for the answer
 * errors    MX_BAD_INFO_KEY, MX_BAD_INFO_VAL, MX_BAD_INFO_LENGTH, MX_BOARD_UNKNOWN
 */
mx_return_t mx_get_info(mx_endpoint_t endpoint, mx_get_info_key_t key, void *in_val, uint32_t in_len, void *out_val,
                        uint32_t out_len);

/* ---- endpoints -------------------------------------------------------------------------------------------------- */

enum mx_param_key {
    MX_PARAM_ERROR_HANDLER   = 0, /* the endpoint's own handler, in place of the global one */
    MX_PARAM_UNEXP_QUEUE_MAX = 1, /* bytes of unexpected messages to keep; ignored here: up to 16 MiB of each sender are kept */
    MX_PARAM_CONTEXT_ID      = 2  /* bits of match_info that each mask must contain */
};
typedef enum mx_param_key mx_param_key_t;

#define MX_CONTEXT_ID_BITS_MAX 16

typedef struct {
    mx_param_key_t key;
    union {
        mx_error_handler_t error_handler;
        uint32_t unexp_queue_max;
        struct {
            uint8_t bits;  /* number of bits, at most MX_CONTEXT_ID_BITS_MAX */
            uint8_t shift; /* position of the lowest bit; bits + shift is at most 64 */
        } context_id;
    } val;
} mx_param_t;

/*
 * Opens an endpoint. From now on other endpoints can connect to it.
 *
 * board_number   a board of this host, or MX_ANY_NIC
 * endpoint_id    unique on the board among all processes, or MX_ANY_ENDPOINT for one that is free
 * endpoint_key   an endpoint that connects must give the same key
 * params_array   params_count parameters, or NULL; copied
 * endpoint       receives the endpoint
 * errors         MX_BOARD_UNKNOWN, MX_BAD_ENDPOINT_ID, MX_BUSY, MX_BAD_PARAM_LIST, MX_BAD_PARAM_NAME, MX_BAD_PARAM_VAL,
 *                MX_NIC_DEAD
 */
mx_return_t mx_open_endpoint(uint32_t board_number, uint32_t endpoint_id, uint32_t endpoint_key, mx_param_t *params_array,
                             uint32_t params_count, mx_endpoint_t *endpoint);

/*
 * Closes an endpoint. Its requests end, complete or not, and messages that no receive has taken are lost. Sends that have
 * completed are delivered as long as the peer lives. Connected endpoints get MX_STATUS_ENDPOINT_CLOSED.
 *
 * Errors: MX_CLOSE_IN_HANDLER in the endpoint's unexpected handler.
 */
mx_return_t mx_close_endpoint(mx_endpoint_t endpoint);

/*
 * Ends the waits of other threads: threads that are in mx_wait, mx_wait_any, mx_peek or mx_probe on this endpoint return
 * MX_SUCCESS with result 0, as after a time-out. Threads that are in mx_connect return MX_TIMEOUT, as in Open-MX; the next mx_connect
 * to the same endpoint goes on where that one was. A wait that begins later is not affected.
 */
mx_return_t mx_wakeup(mx_endpoint_t endpoint);

/*
 * After mx_disable_progression no message moves on this endpoint, and its unexpected handler is not called, whatever call a
 * thread makes. Tests find only what had completed before, and waits go on waiting. mx_reenable_progression ends this. The
 * calls don't nest.
 */
mx_return_t mx_disable_progression(mx_endpoint_t endpoint);
mx_return_t mx_reenable_progression(mx_endpoint_t endpoint);

/* The endpoint's own address, for mx_decompose_endpoint_addr. The endpoint can also send to it: this takes no mx_connect. */
mx_return_t mx_get_endpoint_addr(mx_endpoint_t endpoint, mx_endpoint_addr_t *endpoint_addr);

/* The board id and endpoint id of an address; either pointer may be NULL. MX_BAD_BAD_BAD if endpoint_addr is no address. */
mx_return_t mx_decompose_endpoint_addr(mx_endpoint_addr_t endpoint_addr, uint64_t *nic_id, uint32_t *endpoint_id);

/*
 * Connects to an endpoint of this or another host, this process's included. Both ends can then send to each other. If the
 * endpoints are connected already, the call gives the same address at once. (mx_iconnect in mx_extensions.h doesn't wait.)
 *
 * nic_id, endpoint_id   the endpoint to connect to
 * key                   the key that it was opened with
 * timeout               ms
 * addr                  receives the address to send to
 * errors                MX_TIMEOUT, MX_CONNECTION_FAILED, MX_BAD_CONNECTION_KEY, MX_BAD_ENDPOINT_ID, MX_NIC_NOT_FOUND
 *
 * The answer comes only while a thread is in a call on the other endpoint too. Between two endpoints of one process that takes
 * a second thread, or mx_iconnect. MX_TIMEOUT after mx_wakeup too. A timeout should be 100 ms at least
 * (docs/mx/endpoints.md). MX_CLOSE_IN_HANDLER in an unexpected handler.
 */
mx_return_t mx_connect(mx_endpoint_t endpoint, uint64_t nic_id, uint32_t endpoint_id, uint32_t key, uint32_t timeout,
                       mx_endpoint_addr_t *addr);

/* ---- messages --------------------------------------------------------------------------------------------------- */

/*
 * Matching: a receive takes a message if (message's match_info & match_mask) == match_info of the receive. Mask 0, with
 * match_info 0, takes any message. Messages from one endpoint to another are matched in the order in which they were sent,
 * whatever their lengths. Receives are matched in the order in which they were posted. Completions come in any order.
 *
 * Segments: segments_count 0 is a message of length 0, and segments_list may then be NULL. Errors of the three calls:
 * MX_BAD_SEG_LIST, MX_BAD_SEG_MEM, MX_BAD_SEG_CNT; of mx_irecv MX_BAD_MATCH_MASK and MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK.
 *
 * All three calls return at once and set *request. If a message can't be delivered, its request completes with the status that
 * says why.
 *
 * Limits: of the messages that one endpoint has sent to another, and that no receive or unexpected handler there has taken, at
 * most 65,536 messages and 16 MiB of bytes are under way or kept. A message that is longer than MX_COPY_SEND_MAX (through
 * memory that both processes share, than 256 KB) or beyond the 16 MiB leaves its bytes in the sender's memory until a receive
 * matches it. A message beyond the 65,536 waits at the sender, in order, and the receiver's probes don't see it. Both kinds of
 * sends can end as others do: by a time-out, or by the end of the connection. The receiver tells the sender what was taken
 * each time it is a quarter of either limit. So the limits may be up to a quarter lower. A program that sends must therefore
 * also receive, and not wait for its sends first.
 */

/*
 * Sends a message. Complete when the library needs nothing of the program any more. Within the limits that says nothing about
 * the receiver.
 *
 * mx_isend and mx_issend copy a message of at most MX_PIO_SEND_MAX bytes (128). The program may use its memory again when the
 * call has returned, however many sends are under way or wait, and mx_ibuffered gives 1. The copy is a part of the request, and
 * lives as long: the program limits the memory by the number of its requests that are not complete, given-away ones included.
 */
mx_return_t mx_isend(mx_endpoint_t endpoint, mx_segment_t *segments_list, uint32_t segments_count,
                     mx_endpoint_addr_t dest_endpoint, uint64_t match_info, void *context, mx_request_t *request);

/* Sends a message. Complete only when the memory may be used again and a receive has matched the message. */
mx_return_t mx_issend(mx_endpoint_t endpoint, mx_segment_t *segments_list, uint32_t segments_count,
                      mx_endpoint_addr_t dest_endpoint, uint64_t match_info, void *context, mx_request_t *request);

/* Receives one message, from any sender. */
mx_return_t mx_irecv(mx_endpoint_t endpoint, mx_segment_t *segments_list, uint32_t segments_count, uint64_t match_info,
                     uint64_t match_mask, void *context, mx_request_t *request);

/*
 * Cancels a receive. If no message had matched it, *result is 1 and *request is NULL. Otherwise *result is 0, and the request
 * completes as if mx_cancel had not been called.
 * Errors: MX_BAD_REQUEST, MX_CANCEL_NOT_SUPPORTED.
 */
mx_return_t mx_cancel(mx_endpoint_t endpoint, mx_request_t *request, uint32_t *result);

/*
 * Whether the memory of a send may be used again, even if the send is not complete: *result is 1 or 0. Always 1 for a message of
 * at most MX_PIO_SEND_MAX bytes.
 * Errors: MX_BAD_REQUEST for other requests.
 */
mx_return_t mx_ibuffered(mx_endpoint_t endpoint, mx_request_t *request, uint32_t *result);

/* The context that the request was made with. Errors: MX_BAD_REQUEST. */
mx_return_t mx_context(mx_request_t *request, void **context);

/* ---- completion ------------------------------------------------------------------------------------------------- */

/*
 * In all of these calls *result is 1 if there is something, and the call has then written status or request. Otherwise *result
 * is 0, which is no error: the time is over, or a thread has called mx_wakeup. The waits return at once if there is something
 * already.
 */

/* Is this request complete? If so, it ends, and *request is NULL. Errors: MX_BAD_REQUEST. */
mx_return_t mx_test(mx_endpoint_t endpoint, mx_request_t *request, mx_status_t *status, uint32_t *result);
mx_return_t mx_wait(mx_endpoint_t endpoint, mx_request_t *request, uint32_t timeout, mx_status_t *status, uint32_t *result);

/*
 * Is a request complete whose status has (match_info & match_mask) == match_info? If so, it ends; status.context tells which
 * request it was. The program must not use its handle any more. The request that completed first comes first.
 * Errors: MX_BAD_MATCH_MASK, MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK.
 */
mx_return_t mx_test_any(mx_endpoint_t endpoint, uint64_t match_info, uint64_t match_mask, mx_status_t *status,
                        uint32_t *result);
mx_return_t mx_wait_any(mx_endpoint_t endpoint, uint32_t timeout, uint64_t match_info, uint64_t match_mask,
                        mx_status_t *status, uint32_t *result);

/*
 * Of the requests that are complete, which one completed first? It stays: the program still has to call mx_test for it.
 * Errors: MX_NOT_SUPPORTED_WITH_CONTEXT_ID.
 */
mx_return_t mx_ipeek(mx_endpoint_t endpoint, mx_request_t *request, uint32_t *result);
mx_return_t mx_peek(mx_endpoint_t endpoint, uint32_t timeout, mx_request_t *request, uint32_t *result);

/*
 * Is there a message that no receive has matched yet, but that a receive with this match_info and match_mask would match?
 * status gets the source, match_info and length of the first such message: msg_length and xfer_length are both the message's
 * length, as in Open-MX; context means nothing. The message stays.
 * Errors: MX_BAD_MATCH_MASK, MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK.
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
