/*
 * Helpers for programs in the style of a card's demonstrations: the calls that such programs find in a header of this name.
 * This is the project's own code. All is in the header: nothing is linked beside libsisci.so.
 *
 * Every call but the last four needs SCIInitialize. Any thread may make any of them. Only SendInterrupt, ReceiveInterrupt and
 * SleepMilliseconds block. Results are written only with SCI_ERR_OK. Questions that only a card can answer give
 * SCI_ERR_NOT_IMPLEMENTED, as SCIQuery does.
 */
#ifndef SISCI_DEMOLIB_H
#define SISCI_DEMOLIB_H

#include <stddef.h>
#include <stdio.h>
#include <sys/select.h>

#include "sisci_api.h"
#include "sisci_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How long SendInterrupt waits for the interrupt to exist, and how long it pauses between attempts, ms. */
#define SISCI_DEMOLIB_PATIENCE 10000
#define SISCI_DEMOLIB_PAUSE 10

/* Pauses for so many milliseconds; a signal may end the pause. */
static inline void SleepMilliseconds(int milliseconds)
{
    struct timeval pause;
    if (milliseconds <= 0)
        return;
    pause.tv_sec = milliseconds / 1000;
    pause.tv_usec = milliseconds % 1000 * 1000;
    select(0, NULL, NULL, NULL, &pause);
}

/* The value with its four bytes in the opposite order. */
static inline unsigned int EndianSwap(unsigned int value)
{
    return value >> 24 | (value >> 8 & 0xff00u) | (value << 8 & 0xff0000u) | value << 24;
}

/* SCIQuery with SCI_Q_ADAPTER and one of its subcommands, which answer with a number. */
static inline sci_error_t QueryAdapter(unsigned int subcommand, unsigned int localAdapterNo, unsigned int portNo,
                                       unsigned int *data)
{
    sci_query_adapter_t query;
    sci_error_t error;
    query.localAdapterNo = localAdapterNo;
    query.portNo = portNo;
    query.subcommand = subcommand;
    query.data = data;
    SCIQuery(SCI_Q_ADAPTER, &query, 0, &error);
    return error;
}

/* The same with SCI_Q_SYSTEM. */
static inline sci_error_t QuerySystem(unsigned int subcommand, unsigned int *data)
{
    sci_query_system_t query;
    sci_error_t error;
    query.subcommand = subcommand;
    query.data = data;
    SCIQuery(SCI_Q_SYSTEM, &query, 0, &error);
    return error;
}

/* This process's node at an adapter. Errors: SCI_ERR_NO_SUCH_ADAPTERNO, SCI_ERR_ILLEGAL_ADAPTERNO. */
static inline sci_error_t GetLocalNodeId(unsigned int localAdapterNo, unsigned int *localNodeId)
{
    sci_error_t error;
    SCIGetLocalNodeId(localAdapterNo, localNodeId, 0, &error);
    return error;
}

/* The lowest number of an adapter, and this process's node there. Here that is adapter 0. */
static inline sci_error_t DetectFirstAdapterCard(unsigned int *localAdapterNo, unsigned int *localNodeId)
{
    unsigned int adapter = 0;
    sci_error_t error = GetLocalNodeId(adapter, localNodeId);
    while (error == SCI_ERR_NO_SUCH_ADAPTERNO)
        error = GetLocalNodeId(++adapter, localNodeId);
    if (error == SCI_ERR_OK)
        *localAdapterNo = adapter;
    return error;
}

/* What only a card has. */
static inline sci_error_t GetAdapterType(unsigned int localAdapterNo, unsigned int *adapterType)
{
    return QueryAdapter(SCI_Q_ADAPTER_CARD_TYPE, localAdapterNo, 0, adapterType);
}

static inline sci_error_t GetAdapterSerialNumber(unsigned int localAdapterNo, unsigned int *serialNo)
{
    return QueryAdapter(SCI_Q_ADAPTER_SERIAL_NUMBER, localAdapterNo, 0, serialNo);
}

static inline sci_error_t GetAdapterIoBusFrequency(unsigned int localAdapterNo, unsigned int *ioBusFrequency)
{
    (void)localAdapterNo, (void)ioBusFrequency;
    return SCI_ERR_NOT_IMPLEMENTED;
}

static inline sci_error_t GetAdapterSciLinkFrequency(unsigned int localAdapterNo, unsigned int *sciLinkFrequency)
{
    (void)localAdapterNo, (void)sciLinkFrequency;
    return SCI_ERR_NOT_IMPLEMENTED;
}

static inline sci_error_t GetAdapterBlinkFrequency(unsigned int localAdapterNo, unsigned int *bLinkFrequency)
{
    (void)localAdapterNo, (void)bLinkFrequency;
    return SCI_ERR_NOT_IMPLEMENTED;
}

static inline sci_error_t GetHostbridgeType(unsigned int *hostbridgeType)
{
    (void)hostbridgeType;
    return SCI_ERR_NOT_IMPLEMENTED;
}

/* Prints a number that GetHostbridgeType has given. */
static inline void PrintHostbridgeType(unsigned int hostbridge)
{
    printf("Host bridge: %u\n", hostbridge);
}

/* The version of the interface as a text, cut to strLength bytes with its closing NUL. */
static inline sci_error_t GetAPIVersionString(char str[], unsigned int strLength)
{
    sci_query_string_t query;
    sci_error_t error;
    query.str = str;
    query.length = strLength;
    SCIQuery(SCI_Q_API, &query, 0, &error);
    return error;
}

/*
 * Connects to an interrupt of a node, triggers it once and disconnects. Waits at most SISCI_DEMOLIB_PATIENCE until the interrupt
 * exists. localNodeId is not used.
 * Errors: those of SCIConnectInterrupt and SCITriggerInterrupt.
 */
static inline sci_error_t SendInterrupt(sci_desc_t sd, unsigned int localAdapterNo, unsigned int localNodeId,
                                        unsigned int remoteNodeId, unsigned int interruptNo)
{
    sci_remote_interrupt_t interrupt;
    sci_error_t error, ignored;
    int waited = 0;
    (void)localNodeId;
    SCIConnectInterrupt(sd, &interrupt, remoteNodeId, localAdapterNo, interruptNo, SISCI_DEMOLIB_PATIENCE, 0, &error);
    for (; error == SCI_ERR_NO_SUCH_INTNO && waited < SISCI_DEMOLIB_PATIENCE; waited += SISCI_DEMOLIB_PAUSE) {
        SleepMilliseconds(SISCI_DEMOLIB_PAUSE);
        SCIConnectInterrupt(sd, &interrupt, remoteNodeId, localAdapterNo, interruptNo, SISCI_DEMOLIB_PATIENCE, 0, &error);
    }
    if (error != SCI_ERR_OK)
        return error;
    SCITriggerInterrupt(interrupt, 0, &error);
    SCIDisconnectInterrupt(interrupt, 0, &ignored);
    return error;
}

/*
 * Makes an interrupt with this number, waits until it is triggered, without a time limit, and removes it. localNodeId is not used.
 * Errors: those of SCICreateInterrupt and SCIWaitForInterrupt.
 */
static inline sci_error_t ReceiveInterrupt(sci_desc_t sd, unsigned int localAdapterNo, unsigned int localNodeId,
                                           unsigned int interruptNo)
{
    sci_local_interrupt_t interrupt;
    sci_error_t error, ignored;
    (void)localNodeId;
    SCICreateInterrupt(sd, &interrupt, localAdapterNo, &interruptNo, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
    if (error != SCI_ERR_OK)
        return error;
    SCIWaitForInterrupt(interrupt, SCI_INFINITE_TIMEOUT, 0, &error);
    SCIRemoveInterrupt(interrupt, 0, &ignored);
    return error;
}

#ifdef __cplusplus
}
#endif

#endif
