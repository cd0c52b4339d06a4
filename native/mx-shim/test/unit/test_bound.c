/*
 * The bound on what a receiver keeps of one sender: what a sender does at it, what a receiver tells, and senders that don't
 * keep to it.
 */
#include "core/bound.h"
#include "core/clock.h"
#include "core/request.h"
#include "core/send.h"
#include "conversation.h"

enum { MEDIUM = 8192, MEDIUMS = BOUND_BYTES / MEDIUM };

static struct wire_label label;
static struct link *link;
static uint64_t next; /* the sequence of the peer's next message */
static unsigned char bytes[MEDIUM];

/* The peer connects and sends a message, which is taken. Returns the message's source, the address for messages to the peer. */
static mx_endpoint_addr_t meet(void)
{
    begin();
    label = connected(&link);
    data(label, 0, 0, PAYLOAD_PASSING, "a");
    next = 1;
    mx_status_t status;
    CHECK(strcmp(received(&status), "a") == 0);
    return status.source;
}

static void message(int place, size_t length)
{
    struct wire_data header = { .head = { label, SESSION }, .sequence = next++ };
    played_arrive(NULL, WIRE_DATA, &header, sizeof header, place, bytes, length);
}

/* The peer tells what it has taken. */
static void taken(uint64_t messages, uint64_t of_bytes)
{
    struct wire_taken totals = { .head = { label, SESSION }, .messages = messages, .bytes = of_bytes };
    played_arrive(NULL, WIRE_TAKEN, &totals, sizeof totals, PAYLOAD_PASSING, NULL, 0);
}

static mx_request_t start(mx_endpoint_addr_t to, size_t length, uint64_t match_info)
{
    mx_request_t request;
    OK(mx_isend(ep, &(mx_segment_t){ bytes, (uint32_t)length }, 1, to, match_info, NULL, &request));
    return request;
}

static bool is_complete(mx_request_t *request, mx_status_code_t expected)
{
    mx_status_t status;
    uint32_t result;
    OK(mx_test(ep, request, &status, &result));
    CHECK(result == 0 || status.code == expected);
    return result != 0;
}

static void complete(mx_request_t request)
{
    CHECK(is_complete(&request, MX_STATUS_SUCCESS));
}

static void check_waits(mx_request_t request)
{
    uint32_t buffered;
    CHECK(!is_complete(&request, 0));
    OK(mx_ibuffered(ep, &request, &buffered));
    CHECK(buffered == 1); /* a short message: it has been copied (REQUEST-2) */
}

/* Checks that exactly one message was sent after the first ones, before of them, and that it is DATA. Returns its header. */
static struct wire_data latest(unsigned int before)
{
    CHECK(played_sent_count == before + 1 && played_sent.kind == WIRE_DATA);
    struct wire_data header;
    memcpy(&header, played_sent.header, sizeof header);
    return header;
}

static void fill(mx_endpoint_addr_t to)
{
    for (unsigned int i = 0; i < BOUND_MESSAGES; i++) {
        unsigned int before = played_sent_count;
        complete(start(to, i % 2, 0));
        CHECK(latest(before).sequence == i && played_sent.flags == 0);
    }
}

static void messages_wait(void)
{
    mx_endpoint_addr_t to = meet();
    fill(to);
    unsigned int before = played_sent_count;
    mx_request_t first = start(to, 1, 11), second, third;
    OK(mx_issend(ep, NULL, 0, to, 12, NULL, &second));
    check_waits(first);
    check_waits(second);
    uint32_t result;
    CHECK(mx_cancel(ep, &first, &result) == MX_CANCEL_NOT_SUPPORTED);
    taken(BOUND_MESSAGES + 1, 0); /* more than were sent */
    taken(UINT64_MAX, UINT64_MAX);
    taken(0, 0);
    check_waits(first);
    CHECK(played_sent_count == before);

    taken(1, 1);
    struct wire_data header = latest(before);
    CHECK(header.sequence == BOUND_MESSAGES && header.match_info == 11 && header.sync == 0 && played_sent.length == 1);
    complete(first);
    check_waits(second);
    third = start(to, 0, 13);
    check_waits(second);
    check_waits(third);
    CHECK(played_sent_count == ++before);
    taken(2, 1);
    header = latest(before);
    CHECK(header.sequence == BOUND_MESSAGES + 1 && header.match_info == 12 && header.sync != 0);
    struct wire_matched matched = { .head = { label, SESSION }, .sync = header.sync };
    CHECK(!is_complete(&second, 0));
    played_arrive(NULL, WIRE_MATCHED, &matched, sizeof matched, PAYLOAD_PASSING, NULL, 0);
    complete(second);
    check_waits(third);
    taken(1000, 500);
    header = latest(before + 1);
    CHECK(header.sequence == BOUND_MESSAGES + 2 && header.match_info == 13);
    complete(third);
    taken(2, 1); /* an old total, which is ignored too */
    complete(start(to, 0, 14));
    end();
}

static unsigned char memory[SMALL_MAX + 1], expected[SMALL_MAX + 1];

/* Sends a message in pieces from the program's memory, and overwrites that at once. */
static mx_request_t send_and_overwrite(mx_endpoint_addr_t to, uint32_t length, uint32_t pieces, bool synchronous)
{
    mx_segment_t list[3];
    mx_request_t request;
    uint32_t buffered = 2;
    for (uint32_t i = 0; i < sizeof memory; i++)
        expected[i] = memory[i] = (unsigned char)(length + i);
    for (uint32_t i = 0, from = 0; i < pieces; from += list[i++].segment_length)
        list[i] = (mx_segment_t){ memory + from, i + 1 < pieces ? length / pieces : length - from };
    OK((synchronous ? mx_issend : mx_isend)(ep, list, pieces, to, 1, NULL, &request));
    memset(memory, 0x55, sizeof memory);
    OK(mx_ibuffered(ep, &request, &buffered));
    CHECK(buffered == (length <= SMALL_MAX));
    CHECK(!is_complete(&request, 0));
    return request;
}

/* Whether the message that was sent last has its bytes still. */
static void check_sent(uint32_t length)
{
    CHECK(played_sent.kind == WIRE_DATA && played_sent.length == length);
    CHECK(length == 0 || length > SMALL_MAX || memcmp(played_sent.data, expected, length) == 0);
}

/* The bytes of short messages are copied (REQUEST-2): while the transport has them, after a time-out, and while they are held. */
static void small_is_copied(void)
{
    static const uint32_t lengths[] = { 0, 1, 3, SMALL_MAX, SMALL_MAX + 1 };
    for (unsigned int i = 0; i < 5; i++) {
        mx_endpoint_addr_t to = meet();
        const void *data = NULL;
        played_takes_long = true;
        for (uint32_t pieces = 1; pieces <= 3; pieces++) {
            for (int synchronous = 0; synchronous < 2; synchronous++) {
                mx_request_t request = send_and_overwrite(to, lengths[i], pieces, synchronous);
                check_sent(lengths[i]);
                CHECK(played_sent.data == NULL || played_sent.data != data || lengths[i] > SMALL_MAX);
                data = played_sent.data; /* the transport still has this memory when the next send begins */
                OK(mx_set_request_timeout(ep, request, 1));
                for (uint64_t since = clock_ms(); !is_complete(&request, MX_STATUS_TIMEOUT);)
                    CHECK(clock_ms() - since < 10000);
            }
        }
        played_takes_long = false;
        end();
    }
    mx_endpoint_addr_t to = meet();
    fill(to);
    for (unsigned int i = 0; i < 5; i++) {
        mx_request_t request = send_and_overwrite(to, lengths[i], 1 + i % 3, i % 2 != 0);
        OK(mx_forget(ep, &request));
        unsigned int before = played_sent_count;
        taken(i + 1, 0);
        latest(before);
        check_sent(lengths[i]);
    }
    end();
}

/* The totals that the peer has told are read before a message has to wait, even if the program only sends. */
static void tell_at_last(void)
{
    played_progress = NULL;
    taken(BOUND_MESSAGES, BOUND_BYTES);
}

static void sender_listens(void)
{
    mx_endpoint_addr_t to = meet();
    fill(to);
    played_progress = tell_at_last;
    complete(start(to, 1, 0));
    for (unsigned int i = 0; i < MEDIUMS; i++)
        complete(start(to, MEDIUM, 0));
    CHECK(played_sent.flags == SEND_ON_REQUEST);
    played_progress = tell_at_last;
    complete(start(to, MEDIUM, 0));
    CHECK(played_sent.flags == 0);
    end();
}

/* Other ways in which a waiting send can end. */
static void they_end(void)
{
    mx_endpoint_addr_t to = meet();
    fill(to);
    mx_request_t late = start(to, 1, 1), forgotten = start(to, 1, 2), failed = start(to, 1, 3), last = start(to, 1, 4);
    OK(mx_set_request_timeout(ep, late, 1));
    for (uint64_t since = clock_ms(); clock_ms() - since < 3;)
        OK(mx_progress(ep));
    CHECK(is_complete(&late, MX_STATUS_TIMEOUT));
    OK(mx_forget(ep, &forgotten));
    unsigned int before = played_sent_count;
    taken(1, 0);
    CHECK(latest(before).match_info == 2);
    played_fails = true;
    taken(2, 0);
    played_fails = false;
    CHECK(is_complete(&failed, MX_STATUS_ENDPOINT_UNREACHABLE)); /* so does the next one: a failed send doesn't count as sent */
    CHECK(is_complete(&last, MX_STATUS_ENDPOINT_UNREACHABLE));
    complete(start(to, 1, 5));
    struct wire_data header = latest(before + 1);
    CHECK(header.match_info == 5 && header.sequence == BOUND_MESSAGES + 1);

    mx_request_t here = start(to, 1, 6), given_away = start(to, 1, 7);
    OK(mx_forget(ep, &given_away));
    played_lose(link, false);
    CHECK(is_complete(&here, MX_STATUS_ENDPOINT_UNREACHABLE));
    end();
    CHECK(played_links == 0);

    to = meet();
    fill(to);
    here = start(to, 1, 6);
    OK(mx_disconnect(ep, to));
    CHECK(is_complete(&here, MX_STATUS_ENDPOINT_UNREACHABLE));
    end();
}

static void tell_too_late(void)
{
    if (played_sent.kind == WIRE_BYE)
        tell_at_last();
}

static void nothing_after_bye(void)
{
    fill(meet());
    data(label, next, 0, PAYLOAD_PASSING, "b");
    mx_status_t status;
    received(&status);
    start(status.source, 1, 0);
    played_progress = tell_too_late;
    end();
    CHECK(played_progress == NULL && played_sent.kind == WIRE_BYE);
    struct wire_bye bye;
    memcpy(&bye, played_sent.header, sizeof bye);
    CHECK(bye.sequence == BOUND_MESSAGES);
}

/* Through shared memory longer messages go with their bytes, within the same bound. */
static void longer_through_shared_memory(void)
{
    static unsigned char many[EAGER_SHARED_MAX + 1];
    mx_endpoint_addr_t to = meet();
    const struct {
        size_t length;
        bool shared, whole;
    } sends[] = {
        { EAGER_MAX, false, true },         { EAGER_MAX + 1, false, false },       { EAGER_MAX + 1, true, true },
        { EAGER_SHARED_MAX, false, false }, { EAGER_SHARED_MAX, true, true },      { EAGER_SHARED_MAX + 1, true, false },
    };
    for (unsigned int i = 0; i < sizeof sends / sizeof *sends; i++) {
        played_shares_memory = sends[i].shared;
        mx_request_t request;
        OK(mx_isend(ep, &(mx_segment_t){ many, (uint32_t)sends[i].length }, 1, to, 0, NULL, &request));
        complete(request);
        CHECK(played_sent.flags == (sends[i].whole ? 0 : SEND_ON_REQUEST) && played_sent.length == sends[i].length);
    }
    played_shares_memory = true;
    unsigned int whole = 0;
    do {
        mx_request_t request;
        OK(mx_isend(ep, &(mx_segment_t){ many, EAGER_SHARED_MAX }, 1, to, 0, NULL, &request));
        complete(request);
    } while (played_sent.flags == 0 && ++whole < BOUND_BYTES / EAGER_SHARED_MAX);
    CHECK(played_sent.flags == SEND_ON_REQUEST);
    played_shares_memory = false;
    end();
}

static void bytes_stay(void)
{
    mx_endpoint_addr_t to = meet();
    const uint64_t told[] = { 0, MEDIUM, 2 * MEDIUM, UINT64_MAX };
    const unsigned int let[] = { MEDIUMS, 1, 1, MEDIUMS };
    uint64_t messages = 0;
    for (unsigned int i = 0; i < 4; i++) {
        taken(messages, told[i]);
        for (unsigned int j = 0; j < let[i]; j++, messages++) {
            complete(start(to, MEDIUM, 0));
            CHECK(played_sent.flags == 0 && played_sent.length == MEDIUM);
        }
        complete(start(to, 1, 0));
        CHECK(played_sent.flags == SEND_ON_REQUEST && played_sent.length == 1);
        mx_request_t request;
        OK(mx_issend(ep, &(mx_segment_t){ bytes, MEDIUM }, 1, to, 0, NULL, &request));
        complete(request); /* the bytes were fetched, so a receive has matched the message */
        struct wire_data header;
        memcpy(&header, played_sent.header, sizeof header);
        CHECK(played_sent.flags == SEND_ON_REQUEST && header.sync == 0 && header.sequence == messages + 1);
        complete(start(to, 0, 0));
        CHECK(played_sent.flags == 0);
        messages += 3;
    }
    end();
}

static mx_unexp_handler_action_t finish(void *context, mx_endpoint_addr_t source, uint64_t match_value, uint32_t length,
                                        void *data_if_available)
{
    (void)context, (void)source, (void)match_value, (void)length, (void)data_if_available;
    return MX_RECV_FINISHED;
}

/*
 * Takes messages of a length until the library tells that. how: 0 by a receive that waits, 1 by a receive that comes later, 2
 * by the handler.
 */
static struct wire_taken take_until_told(int place, size_t length, int how)
{
    unsigned int before = played_sent_count;
    for (uint64_t last = next + BOUND_MESSAGES; played_sent_count == before;) {
        CHECK(next < last);
        mx_request_t request;
        if (how == 2)
            OK(mx_register_unexp_handler(ep, finish, NULL));
        if (how == 0)
            OK(mx_irecv(ep, NULL, 0, 0, 0, NULL, &request));
        message(place, length);
        if (how == 1) {
            CHECK(played_sent_count == before);
            OK(mx_irecv(ep, NULL, 0, 0, 0, NULL, &request));
        }
        if (how != 2)
            CHECK(is_complete(&request, length == 0 ? MX_STATUS_SUCCESS : MX_STATUS_TRUNCATED));
        OK(mx_register_unexp_handler(ep, NULL, NULL));
    }
    CHECK(played_sent_count == before + 1 && played_sent.kind == WIRE_TAKEN && played_sent.link == link);
    struct wire_taken totals;
    memcpy(&totals, played_sent.header, sizeof totals);
    CHECK(totals.head.label.index == 40 && totals.head.label.check == 41 && totals.messages == next);
    return totals;
}

static void receiver_tells(void)
{
    for (int how = 0; how < 3; how++) {
        meet(); /* one message of one byte */
        CHECK(take_until_told(PAYLOAD_PASSING, 0, how).bytes == 1);
        CHECK(next == BOUND_MESSAGES / 4);
        for (int place = PAYLOAD_PASSING; place <= PAYLOAD_HELD; place++) {
            CHECK(take_until_told(place, MEDIUM, how).bytes == 1 + (uint64_t)(place + 1) * BOUND_BYTES / 4);
            CHECK(next == BOUND_MESSAGES / 4 + (uint64_t)(place + 1) * MEDIUMS / 4);
        }
        uint64_t before = next;
        CHECK(take_until_told(PAYLOAD_REMOTE, MEDIUM, how).bytes == 1 + BOUND_BYTES / 2); /* not a byte more */
        CHECK(next == before + BOUND_MESSAGES / 4);
        end();
    }
}

/* How many messages have come, before their turn or in it, when the peer is dropped. */
static uint64_t until_dropped(int place, size_t length)
{
    uint64_t first = next;
    do {
        CHECK(next - first < 3 * BOUND_MESSAGES);
        message(place, length);
    } while (played_links == 1);
    return next - first;
}

static void dropped(void)
{
    _Static_assert(PAYLOAD_PASSING == 0 && PAYLOAD_HELD == 1 && PAYLOAD_REMOTE == 2, "all places");
    for (unsigned int early = 0; early < 2; early++) {
        for (int place = PAYLOAD_PASSING; place <= PAYLOAD_REMOTE; place++) {
            mx_endpoint_addr_t to = meet();
            next += early;
            uint64_t most = until_dropped(place, MEDIUM); /* one message has come before, and is not told as taken */
            CHECK(most == (place == PAYLOAD_REMOTE ? 2 * BOUND_MESSAGES : 2 * MEDIUMS));
            mx_request_t request = start(to, 1, 0);
            CHECK(is_complete(&request, MX_STATUS_ENDPOINT_UNREACHABLE));
            CHECK(played_payloads == (early == 0 && place == PAYLOAD_HELD ? 2 * MEDIUMS - 1 : 0));
            end();
        }
    }
    meet();
    CHECK(until_dropped(PAYLOAD_PASSING, 0) == 2 * BOUND_MESSAGES);
    end();
}

/* Messages that a former endpoint has sent before are not counted for the peer. */
static void dropped_after_the_past(void)
{
    for (int place = PAYLOAD_PASSING; place <= PAYLOAD_REMOTE; place++) {
        begin();
        mx_request_t request;
        OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &request));
        struct wire_hello sent;
        memcpy(&sent, played_sent.header, sizeof sent);
        for (uint64_t sequence = 0; sequence < 5; sequence++)
            data_of(SESSION + 1, sent.label, sequence, 0, place, "of the past");
        label = connected(&link);
        next = 0;
        played_lose(played_opened, true);
        CHECK(is_complete(&request, MX_STATUS_ENDPOINT_CLOSED));
        CHECK(until_dropped(place, place == PAYLOAD_REMOTE ? 1 : MEDIUM)
              == (place == PAYLOAD_REMOTE ? 2 * BOUND_MESSAGES : 2 * MEDIUMS) + 1);
        end();
    }
}

/* A short payload is copied, so that the library doesn't keep a buffer of the transport for it. */
static void short_is_copied(void)
{
    meet();
    memset(bytes, 'x', sizeof bytes);
    message(PAYLOAD_HELD, MEDIUM / 2 - 1);
    CHECK(played_payloads == 0);
    message(PAYLOAD_HELD, MEDIUM / 2);
    CHECK(played_payloads == 1);
    memset(bytes, 0, sizeof bytes);
    for (unsigned int i = 1; i <= 2; i++) {
        mx_status_t status;
        CHECK(strspn(received(&status), "x") == 63 && status.msg_length == MEDIUM / 2 - 2 + i);
    }
    CHECK(played_payloads == 0);
    end();
}

int main(void)
{
    short_is_copied();
    messages_wait();
    small_is_copied();
    sender_listens();
    they_end();
    nothing_after_bye();
    bytes_stay();
    longer_through_shared_memory();
    receiver_tells();
    dropped();
    dropped_after_the_past();
    return 0;
}
