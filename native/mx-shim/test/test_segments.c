/* Memory in pieces, on either side, up to the allowed number and more; and messages that are longer than their receive. */
#include "check.h"

#include <string.h>

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t self;

/* Cuts data into count pieces, every third of them empty, with lengths that have nothing to do with pages. */
static void cut(mx_segment_t *segments, uint32_t count, unsigned char *data, size_t length)
{
    uint32_t full = count - count / 3, left = full;
    for (uint32_t i = 0; i < count; i++) {
        bool empty = i % 3 == 2;
        size_t piece = empty ? 0 : left == 1 ? length : length / left;
        segments[i] = (mx_segment_t){ .segment_ptr = empty ? NULL : data, .segment_length = (uint32_t)piece };
        data += piece;
        length -= piece;
        left -= !empty;
    }
}

static void gather_and_scatter(uint32_t pieces_out, uint32_t pieces_in, size_t length, bool unexpected)
{
    mx_segment_t from[MX_MAX_SEGMENTS], to[MX_MAX_SEGMENTS];
    unsigned char *out = filled(length, length), *in = filled(length, 1);
    mx_request_t send, receive;
    cut(from, pieces_out, out, length);
    cut(to, pieces_in, in, length);
    if (!unexpected)
        OK(mx_irecv(endpoint, to, pieces_in, 5, MX_MATCH_MASK_NONE, to, &receive));
    OK(mx_isend(endpoint, from, pieces_out, self, 5, from, &send));
    memset(from, 0xff, sizeof from); /* the list was copied */
    if (unexpected) {
        CHECK(await_unexpected(endpoint, 5, MX_MATCH_MASK_NONE).msg_length == length);
        OK(mx_irecv(endpoint, to, pieces_in, 5, MX_MATCH_MASK_NONE, to, &receive));
    }
    memset(to, 0xff, sizeof to);
    mx_status_t status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.msg_length == length && status.xfer_length == length && status.context == to);
    CHECK(is_filled(in, length, length));
    status = await(endpoint, &send);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.context == from && status.msg_length == length);
    free(out);
    free(in);
}

/* A message that is too long is cut off, and the memory behind the segments stays as it was. */
static void truncate_message(uint32_t pieces, size_t length, size_t room, bool unexpected)
{
    mx_segment_t to[MX_MAX_SEGMENTS];
    unsigned char *out = filled(length, 3), *in = filled(length, 4);
    mx_request_t send = NULL, receive;
    cut(to, pieces, in, room);
    if (unexpected) {
        send = start_send(endpoint, self, 6, out, length);
        await_unexpected(endpoint, 6, MX_MATCH_MASK_NONE);
    }
    OK(mx_irecv(endpoint, to, pieces, 6, MX_MATCH_MASK_NONE, NULL, &receive));
    if (!unexpected)
        send = start_send(endpoint, self, 6, out, length);
    mx_status_t status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_TRUNCATED, status);
    CHECK(status.msg_length == length && status.xfer_length == room);
    CHECK(is_filled(in, room, 3));
    unsigned char *before = filled(length, 4);
    CHECK(memcmp(in + room, before + room, length - room) == 0);
    status = await(endpoint, &send);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    free(out);
    free(in);
    free(before);
}

static void refuse(void)
{
    static mx_segment_t segments[MX_MAX_SEGMENTS + 1];
    static char byte;
    mx_request_t request = NULL;
    for (int i = 0; i <= MX_MAX_SEGMENTS; i++)
        segments[i] = (mx_segment_t){ .segment_ptr = &byte, .segment_length = 1 };
    EXPECT(MX_BAD_SEG_CNT, mx_isend(endpoint, segments, MX_MAX_SEGMENTS + 1, self, 1, NULL, &request));
    EXPECT(MX_BAD_SEG_CNT, mx_issend(endpoint, segments, MX_MAX_SEGMENTS + 1, self, 1, NULL, &request));
    EXPECT(MX_BAD_SEG_CNT, mx_irecv(endpoint, segments, MX_MAX_SEGMENTS + 1, 1, 1, NULL, &request));
    EXPECT(MX_BAD_SEG_LIST, mx_isend(endpoint, NULL, 1, self, 1, NULL, &request));
    EXPECT(MX_BAD_SEG_LIST, mx_issend(endpoint, NULL, 1, self, 1, NULL, &request));
    EXPECT(MX_BAD_SEG_LIST, mx_irecv(endpoint, NULL, 1, 1, 1, NULL, &request));
    segments[1].segment_ptr = NULL;
    EXPECT(MX_BAD_SEG_MEM, mx_isend(endpoint, segments, 2, self, 1, NULL, &request));
    EXPECT(MX_BAD_SEG_MEM, mx_irecv(endpoint, segments, 2, 1, 1, NULL, &request));
    segments[0].segment_length = segments[2].segment_length = UINT32_MAX;
    segments[1].segment_length = 0;
    EXPECT(MX_BAD_SEG_CNT, mx_irecv(endpoint, segments, 3, 1, 1, NULL, &request));
    CHECK(request == NULL);
}

int main(void)
{
    need_mx();
    begin();
    endpoint = open_any();
    self = connect_to(endpoint, id_of(endpoint));
    refuse();
    gather_and_scatter(0, 0, 0, false);
    gather_and_scatter(0, 0, 0, true);
    static const size_t lengths[] = { 600, 20000, 1000001 };
    for (int i = 0; i < 3; i++)
        for (int unexpected = 0; unexpected < 2; unexpected++) {
            gather_and_scatter(1, 5, lengths[i], unexpected);
            gather_and_scatter(5, 1, lengths[i], unexpected);
            gather_and_scatter(MX_MAX_SEGMENTS, 7, lengths[i], unexpected);
            gather_and_scatter(7, MX_MAX_SEGMENTS, lengths[i], unexpected);
            gather_and_scatter(MX_MAX_SEGMENTS, MX_MAX_SEGMENTS, lengths[i], unexpected);
            truncate_message(1, lengths[i], 0, unexpected);
            truncate_message(1, lengths[i], lengths[i] - 1, unexpected);
            truncate_message(50, lengths[i], lengths[i] / 2, unexpected);
        }
    truncate_message(1, 1, 0, false);
    gather_and_scatter(1, 1, 40, false); /* nothing is left of the truncated messages */
    end(endpoint);
    return 0;
}
