/*
 * Types of the SISCI interface.
 *
 * A handle is opaque and never points to memory: a stale, foreign or invented one is recognised and answered with
 * SCI_ERR_ILLEGAL_PARAMETER. Zero (NULL) is never a valid handle.
 */
#ifndef SISCI_TYPES_H
#define SISCI_TYPES_H

#include "sisci_error.h"

typedef struct sci_desc             *sci_desc_t;             /* owns everything made through it */
typedef struct sci_local_segment    *sci_local_segment_t;    /* memory of this process, offered to others */
typedef struct sci_remote_segment   *sci_remote_segment_t;   /* a connection to somebody's segment */
typedef struct sci_map              *sci_map_t;              /* a segment, or part of it, in our address space */
typedef struct sci_local_interrupt  *sci_local_interrupt_t;  /* can be waited for here */
typedef struct sci_remote_interrupt *sci_remote_interrupt_t; /* can be triggered from here */

/* What a callback returns. */
typedef enum {
    SCI_CALLBACK_CANCEL   = 1, /* this handle's callback is not wanted any more */
    SCI_CALLBACK_CONTINUE = 2  /* call again at the next event */
} sci_callback_action_t;

/* Why a segment's callback is called. */
typedef enum {
    SCI_CB_CONNECT         = 1, /* local segments: a remote has connected */
    SCI_CB_DISCONNECT      = 2, /* the other side has disconnected, or removed the segment */
    SCI_CB_NOT_OPERATIONAL = 3, /* of a card's links; does not occur on one host */
    SCI_CB_OPERATIONAL     = 4, /* of a card's links; does not occur on one host */
    SCI_CB_LOST            = 5  /* the other side has vanished without a word: its process is gone */
} sci_segment_cb_reason_t;

typedef sci_callback_action_t (*sci_cb_local_segment_t)(void *arg, sci_local_segment_t segment,
                                                        sci_segment_cb_reason_t reason, unsigned int nodeId,
                                                        unsigned int localAdapterNo, sci_error_t error);

typedef sci_callback_action_t (*sci_cb_remote_segment_t)(void *arg, sci_remote_segment_t segment,
                                                         sci_segment_cb_reason_t reason, sci_error_t error);

typedef sci_callback_action_t (*sci_cb_interrupt_t)(void *arg, sci_local_interrupt_t interrupt, sci_error_t error);

#endif
