/* SCIQuery. What is asked about is checked; what only a card has is refused. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "exports.h"

enum { USUAL_CACHE_LINE = 64 };

/* Whether one of the words is the subcommand; 0 ends them. */
static bool is_one_of(unsigned int subcommand, const unsigned int *words)
{
    while (*words != 0 && *words != subcommand)
        words++;
    return *words != 0;
}

static sci_error_t query_adapter(const sci_query_adapter_t *query)
{
    /* Processes of one host can always reach each other. */
    const unsigned int ones[] = { SCI_Q_ADAPTER_CONFIGURED, SCI_Q_ADAPTER_LINK_OPERATIONAL, SCI_Q_ADAPTER_NUMBER_OF_LINKS,
                                  SCI_Q_ADAPTER_LINK_ENABLED, SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT,
                                  SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT, SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE,
                                  SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE, 0 };
    const unsigned int of_a_card[] = { SCI_Q_ADAPTER_SERIAL_NUMBER, SCI_Q_ADAPTER_CARD_TYPE, SCI_Q_ADAPTER_BDF,
                                       SCI_Q_ADAPTER_LINK_WIDTH, SCI_Q_ADAPTER_LINK_SPEED, SCI_Q_ADAPTER_LINK_UPTIME,
                                       SCI_Q_ADAPTER_LINK_DOWNTIME, SCI_Q_ADAPTER_LINK_CABLE_INSERTED,
                                       SCI_Q_ADAPTER_LINK_PARTNER_PORT_NO, SCI_Q_ADAPTER_NUMBER_OF_STREAMS,
                                       SCI_Q_ADAPTER_STREAM_BUFFER_SIZE, 0 };
    unsigned int *answer = query->data;
    if (answer == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(query->localAdapterNo);
    if (status != SCI_ERR_OK)
        return status;
    if (query->subcommand == SCI_Q_ADAPTER_NODEID)
        *answer = library.node;
    else if (query->subcommand == SCI_Q_ADAPTER_NUMBER)
        *answer = query->localAdapterNo;
    else if (query->subcommand == SCI_Q_ADAPTER_CONNECTED_TO_SWITCH)
        *answer = 0;
    else if (query->subcommand == SCI_Q_ADAPTER_DMA_MTU || query->subcommand == SCI_Q_ADAPTER_MCAST_MAX_GROUPS)
        *answer = UINT_MAX;
    else if (is_one_of(query->subcommand, ones))
        *answer = 1;
    else
        return is_one_of(query->subcommand, of_a_card) ? SCI_ERR_NOT_IMPLEMENTED : SCI_ERR_ILLEGAL_QUERY;
    return SCI_ERR_OK;
}

static sci_error_t query_text(const sci_query_string_t *query, const char *text)
{
    if (query->str == NULL || query->length == 0)
        return SCI_ERR_ILLEGAL_PARAMETER;
    snprintf(query->str, query->length, "%s", text);
    return SCI_ERR_OK;
}

static sci_error_t query_system(const sci_query_system_t *query)
{
    if (query->subcommand == SCI_Q_SYSTEM_WRITE_COMBINING_ENABLED)
        return SCI_ERR_NOT_IMPLEMENTED;
    if (query->subcommand != SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE)
        return SCI_ERR_ILLEGAL_QUERY;
    if (query->data == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    long size = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    *(unsigned int *)query->data = size > 0 ? (unsigned int)size : USUAL_CACHE_LINE; /* some machines don't tell it */
    return SCI_ERR_OK;
}

static sci_error_t query_dma(const sci_query_dma_t *query)
{
    static const sci_dma_capabilities_t capabilities = {
        .num_channels = 1, .max_transfer_size = UINT_MAX, .max_vector_length = DIS_DMA_MAX_VECLEN, .support_mem2io = 1,
        .support_io2mem = 1, .min_align_bytes = 1, .suggested_align_bytes = 1,
    };
    sci_error_t status = check_adapter(query->localAdapterNo);
    if (status != SCI_ERR_OK)
        return status;
    if (query->subcommand != SCI_Q_DMA_AVAILABLE && query->subcommand != SCI_Q_DMA_CAPABILITIES)
        return SCI_ERR_ILLEGAL_QUERY;
    if (query->data == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (query->subcommand == SCI_Q_DMA_AVAILABLE)
        *(unsigned int *)query->data = 1;
    else
        *(sci_dma_capabilities_t *)query->data = capabilities;
    return SCI_ERR_OK;
}

/* A question about an address on a bus: the memory of a process has none. */
static sci_error_t query_address(const void *handle, enum kind kind, unsigned int subcommand, const unsigned int *known)
{
    if (handle_find(handle, kind) == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    return is_one_of(subcommand, known) ? SCI_ERR_NOT_SUPPORTED : SCI_ERR_ILLEGAL_QUERY;
}

static sci_error_t query_local(const sci_query_local_segment_t *query)
{
    const unsigned int known[] = { SCI_Q_LOCAL_SEGMENT_IOADDR, SCI_Q_LOCAL_SEGMENT_PHYS_ADDR,
                                   SCI_Q_LOCAL_SEGMENT_VIRTUAL_KERNEL_ADDR, 0 };
    return query_address(query->segment, KIND_LOCAL_SEGMENT, query->subcommand, known);
}

static sci_error_t query_remote(const sci_query_remote_segment_t *query)
{
    const unsigned int known[] = { SCI_Q_REMOTE_SEGMENT_IOADDR, 0 };
    return query_address(query->segment, KIND_REMOTE_SEGMENT, query->subcommand, known);
}

static sci_error_t query_map(sci_query_map_t *query)
{
    const unsigned int known[] = { SCI_Q_MAP_IOADDR, SCI_Q_MAP_PHYS_ADDR, 0 };
    if (query->subcommand != SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET)
        return query_address(query->map, KIND_MAP, query->subcommand, known);
    if (handle_find(query->map, KIND_MAP) == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    query->data = 1; /* all memory is this host's */
    return SCI_ERR_OK;
}

static sci_error_t query(unsigned int command, void *data, unsigned int flags)
{
    const unsigned int engines = SCI_FLAG_DMA_GLOBAL | SCI_FLAG_DMA_SYSDMA | SCI_FLAG_DMA_ADAPTER;
    if ((flags & ~(command == SCI_Q_DMA ? engines : 0)) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (data == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (command == SCI_Q_ADAPTER)
        return query_adapter(data);
    if (command == SCI_Q_VENDORID)
        return query_text(data, "Java Fast Sockets");
    if (command == SCI_Q_API)
        return query_text(data, "SISCI API 2, between processes of one host");
    if (command == SCI_Q_SYSTEM)
        return query_system(data);
    if (command == SCI_Q_DMA)
        return query_dma(data);
    if (command == SCI_Q_LOCAL_SEGMENT)
        return query_local(data);
    if (command == SCI_Q_REMOTE_SEGMENT)
        return query_remote(data);
    return command == SCI_Q_MAP ? query_map(data) : SCI_ERR_ILLEGAL_QUERY;
}

void SCIQuery(unsigned int command, void *data, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(query(command, data, flags)));
}
SHIM_EXPORT(SCIQuery);
