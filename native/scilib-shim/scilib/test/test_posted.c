/*
 * With a card's library remote stores are posted: SCILib must use its sequences, and in time. And an interrupt of a process
 * that does not answer makes a connect wait. This program stands in for these parts of the library (SCICreateMapSequence,
 * SCIConnectInterrupt and the like) and looks at the memory at each call. It is built with a libscilib that does not treat
 * the shim's memory as coherent.
 */
#include <string.h>

#include "inbox.h"
#include "queues.h"

enum { ID = 6, COUNT = 2, SIZE = 100, MESSAGE = 40, SEQUENCE = 0x5e9 };

#define CARD(name) __attribute__((visibility("default"))) _SISCI_PUBLIC_FUNC_MT_##name

void CARD(SCICreateMapSequence)(sci_map_t map, void **sequence, unsigned int flags, sci_error_t *error);
void CARD(SCIRemoveSequence)(void *sequence, unsigned int flags, sci_error_t *error);
void CARD(SCIStoreBarrier)(void *sequence, unsigned int flags);
void CARD(SCIFlush)(void *sequence, unsigned int flags);

static int open_sequences, barriers, flushes;
static sci_error_t refusal;
static struct inbox *queue; /* NULL: there is no memory to look at */

void CARD(SCICreateMapSequence)(sci_map_t map, void **sequence, unsigned int flags, sci_error_t *error)
{
    CHECK(map != NULL && flags == 0);
    *error = refusal;
    if (refusal != SCI_ERR_OK)
        return;
    *sequence = (void *)SEQUENCE;
    open_sequences++;
}

void CARD(SCIRemoveSequence)(void *sequence, unsigned int flags, sci_error_t *error)
{
    CHECK(sequence == (void *)SEQUENCE && flags == 0);
    open_sequences--;
    *error = SCI_ERR_OK;
}

/* The shim's own, under its other name. */
void shim_connect_interrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int node, unsigned int adapter,
                            unsigned int number, unsigned int timeout, unsigned int flags, sci_error_t *error)
    __asm__("_SISCI_PUBLIC_FUNC_ST_SCIConnectInterrupt");

static unsigned int bells, patience; /* connects so far, and the time-out of the last one */
static bool silent;                  /* the other end does not answer; the end's own interrupt, connected to first, does */

void CARD(SCIConnectInterrupt)(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int node, unsigned int adapter,
                               unsigned int number, unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    bells++;
    patience = timeout;
    if (silent && timeout != SCI_INFINITE_TIMEOUT)
        *error = SCI_ERR_TIMEOUT;
    else
        shim_connect_interrupt(sd, interrupt, node, adapter, number, timeout, flags, error);
}

static int64_t header(void)
{
    return *(_Atomic int64_t *)(void *)queue->ring;
}

/* The message's bytes are there, and its header is not. */
void CARD(SCIStoreBarrier)(void *sequence, unsigned int flags)
{
    CHECK(sequence == (void *)SEQUENCE && flags == 0);
    if (queue != NULL && barriers++ == 0)
        CHECK(header() == 0 && queue->ring[8] == 'm' && queue->ring[8 + MESSAGE - 1] == 'm');
}

/* The message that the other end is woken for is there. */
void CARD(SCIFlush)(void *sequence, unsigned int flags)
{
    CHECK(sequence == (void *)SEQUENCE && flags == 0);
    if (queue != NULL && flushes++ == 0)
        CHECK(header() == MESSAGE);
}

int main(void)
{
    unsigned int node = use_own_node();
    int before = open_descriptors();
    sci_desc_t sd = begin();
    DONE(SCILInit(0));
    sci_msq_queue_t receiver = NULL, sender = NULL;
    DONE(SCILCreateMsgQueue(&receiver, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    refusal = SCI_ERR_NO_LINK_ACCESS;
    GIVES(SCI_ERR_NO_LINK_ACCESS, SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    refusal = SCI_ERR_OK;

    /* All that connects to the other end has the time of the call. What was made before it is over is freed again. */
    silent = true;
    GIVES(SCI_ERR_TIMEOUT, SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    CHECK(sender == NULL && patience > 0 && patience <= WHILE && open_sequences == 0);
    silent = false;
    DONE(SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    CHECK(open_sequences == 1 && patience > 0 && patience <= WHILE);
    silent = true;
    unsigned int so_far = bells;
    UNTIL(bells > so_far, DONE(SCILReceiveMsg(receiver, NULL, 0, NULL, 0)));
    CHECK(patience > 0 && patience <= 10 && open_sequences == 1);
    silent = false;
    UNTIL(open_sequences == 2, DONE(SCILReceiveMsg(receiver, NULL, 0, NULL, 0)));

    sci_remote_segment_t segment;
    sci_map_t map;
    OK(SCIConnectSegment(sd, &segment, node, INBOX_QUEUE_ID | ID, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(queue = (struct inbox *)SCIMapRemoteSegment(segment, &map, 0, SCIGetRemoteSegmentSize(segment), NULL, 0, &error));
    char message[MESSAGE];
    memset(message, 'm', sizeof message);
    DONE(SCILSendMsg(sender, message, MESSAGE, NULL, 0));
    CHECK(barriers == 1 && flushes == 1);
    DONE(SCILReceiveMsg(receiver, message, MESSAGE, NULL, 0));
    CHECK(message[0] == 'm' && message[MESSAGE - 1] == 'm');

    /* There is a flush before a thread goes to sleep, too: its announcement must have arrived. */
    GIVES(SCI_ERR_TIMEOUT, SCILReceiveMsgWait(receiver, message, 1, NULL, 100, 0));
    CHECK(flushes > 1);
    int seen = barriers;
    DONE(SCILDisconnectMsgQueue(&sender, 0));
    CHECK(barriers > seen && open_sequences == 1);
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    CHECK(open_sequences == 0);

    queue = NULL;
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIDisconnectSegment(segment, 0, &error));
    DONE(SCILDestroy(0));
    end(sd);
    await_descriptors(before);
    return 0;
}
