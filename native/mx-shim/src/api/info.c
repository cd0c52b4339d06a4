/* What the library tells about this host and its boards: mx_get_info. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/errors.h"
#include "api/library.h"
#include "core/board.h"
#include "core/send.h"

struct answer {
    union {
        uint32_t number;
        char text[MX_MAX_STR_LEN];
    } value;
    uint32_t length;
};

static void answer_number(struct answer *answer, uint32_t number)
{
    answer->value.number = number;
    answer->length = sizeof number;
}

static void answer_text(struct answer *answer, const char *text)
{
    answer->length = (uint32_t)snprintf(answer->value.text, sizeof answer->value.text, "%s", text) + 1;
}

static mx_return_t info_of_host(mx_get_info_key_t key, uint32_t boards, struct answer *answer)
{
    switch (key) {
    case MX_NIC_COUNT:            answer_number(answer, boards); return MX_SUCCESS;
    case MX_MAX_NATIVE_ENDPOINTS: answer_number(answer, BOARD_ENDPOINTS); return MX_SUCCESS;
    case MX_NATIVE_REQUESTS:      answer_number(answer, INT32_MAX); return MX_SUCCESS;
    case MX_PIO_SEND_MAX:         answer_number(answer, SMALL_MAX); return MX_SUCCESS;
    case MX_COPY_SEND_MAX:        answer_number(answer, EAGER_MAX); return MX_SUCCESS;
    default:                      return MX_BAD_INFO_KEY;
    }
}

static mx_return_t info_of_board(mx_get_info_key_t key, const struct board *board, struct answer *answer)
{
    char id[24];
    switch (key) {
    case MX_COUNTERS_COUNT:  answer_number(answer, 0); return MX_SUCCESS;
    case MX_COUNTERS_LABELS:
    case MX_COUNTERS_VALUES: answer->length = 0; return MX_SUCCESS;
    case MX_PRODUCT_CODE:    answer_text(answer, transport_name()); return MX_SUCCESS;
    case MX_PART_NUMBER:     answer_text(answer, board->interface); return MX_SUCCESS;
    case MX_SERIAL_NUMBER:
        snprintf(id, sizeof id, "%08" PRIx64, board->nic);
        answer_text(answer, id);
        return MX_SUCCESS;
    case MX_PORT_COUNT: answer_number(answer, 1); return MX_SUCCESS;
    case MX_NUMA_NODE:  answer_number(answer, UINT32_MAX); return MX_SUCCESS;
    case MX_NET_TYPE:   answer_number(answer, MX_NET_ETHER); return MX_SUCCESS;
    case MX_LINE_SPEED: answer_number(answer, MX_SPEED_OPEN_MX); return MX_SUCCESS;
    default:            return MX_BAD_INFO_KEY;
    }
}

static mx_return_t copy_ids(const struct board *boards, uint32_t count, void *out, uint32_t out_len)
{
    if (out == NULL)
        return MX_BAD_INFO_VAL;
    if (out_len / sizeof(uint64_t) < count)
        return MX_BAD_INFO_LENGTH;
    const uint64_t end = 0;
    for (uint32_t i = 0; i < count; i++)
        memcpy((char *)out + i * sizeof end, &boards[i].nic, sizeof end);
    if (out_len / sizeof end > count)
        memcpy((char *)out + count * sizeof end, &end, sizeof end);
    return MX_SUCCESS;
}

static mx_return_t copy_answer(const struct answer *answer, void *out, uint32_t out_len)
{
    if (answer->length > 0 && out == NULL)
        return MX_BAD_INFO_VAL;
    if (out_len < answer->length)
        return MX_BAD_INFO_LENGTH;
    if (answer->length > 0)
        memcpy(out, &answer->value, answer->length);
    return MX_SUCCESS;
}

static mx_return_t get_info(const struct board *boards, uint32_t count, mx_get_info_key_t key, const void *in, uint32_t in_len,
                            void *out, uint32_t out_len)
{
    if (key == MX_NIC_IDS)
        return copy_ids(boards, count, out, out_len);
    struct answer answer;
    mx_return_t result = info_of_host(key, count, &answer);
    if (result == MX_SUCCESS)
        return copy_answer(&answer, out, out_len);
    uint32_t number = 0;
    if (in != NULL && in_len != sizeof number)
        return MX_BAD_INFO_VAL;
    if (in != NULL)
        memcpy(&number, in, sizeof number);
    static const struct board none;
    result = info_of_board(key, number < count ? &boards[number] : &none, &answer);
    if (result != MX_SUCCESS)
        return result;
    return number < count ? copy_answer(&answer, out, out_len) : MX_BOARD_UNKNOWN;
}

EXPORTED mx_return_t mx_get_info(mx_endpoint_t ep, mx_get_info_key_t key, void *in_val, uint32_t in_len, void *out_val,
                                 uint32_t out_len)
{
    mx_return_t result = library_check();
    if (result != MX_SUCCESS)
        return report(NULL, __func__, result);
    struct board *boards;
    int count = boards_list(&boards);
    if (count < 0)
        return report(ep, __func__, MX_NO_RESOURCES);
    result = get_info(boards, (uint32_t)count, key, in_val, in_len, out_val, out_len);
    free(boards);
    return result == MX_SUCCESS ? result : report(ep, __func__, result);
}
