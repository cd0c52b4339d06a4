/* Sends, receives, and how they are matched. */
#include "standin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SPOILT = 0xd5 };

static uint64_t sum_of(const char *bytes, uint32_t length)
{
    uint64_t sum = 14695981039346656037u;
    for (uint32_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
    return sum;
}

static bool overlap(const struct request *one, const struct request *other)
{
    return one->memory < other->memory + other->length && other->memory < one->memory + one->length;
}

static struct request *new_request(const char *name, struct mx_endpoint *it, const mx_segment_t *segments, uint32_t count)
{
    struct request *made = calloc(1, sizeof *made), *other;
    if (made == NULL)
        abort();
    if (count != 1 || (segments->segment_length > 0 && segments->segment_ptr == NULL))
        calls_violation(name, "this stand-in takes one segment, at an address");
    made->memory = segments->segment_ptr;
    made->length = segments->segment_length;
    made->number = ++it->last_number;
    TAILQ_FOREACH(other, &it->under_way, next)
        if (overlap(made, other))
            calls_violation(name, "memory of another request that is under way");
    TAILQ_INSERT_TAIL(&it->under_way, made, next);
    return made;
}

void request_complete(struct mx_endpoint *it, struct request *request, mx_status_code_t code)
{
    request->state = COMPLETE;
    request->status.code = code;
    TAILQ_REMOVE(&it->under_way, request, next);
    TAILQ_INSERT_TAIL(&it->complete, request, next);
    ring(it);
}

/* ---- sending ---- */

EXPORTED mx_return_t mx_isend(mx_endpoint_t it, mx_segment_t *segments, uint32_t count, mx_endpoint_addr_t to, uint64_t match,
                              void *context, mx_request_t *out)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    struct peer *peer = peer_of(to);
    if (peer == NULL)
        return LEAVE(it, MX_BAD_BAD_BAD);
    CHECK(peer->endpoint == it, "an address of another endpoint");
    struct request *made = new_request(__func__, it, segments, count);
    made->kind = SEND;
    made->state = QUEUED;
    made->peer = peer;
    made->match = match;
    made->sum = sum_of(made->memory, made->length);
    made->status = (mx_status_t){
        .source = to, .match_info = match, .msg_length = made->length, .xfer_length = made->length, .context = context};
    *out = (mx_request_t)made;
    unsigned long code = MX_STATUS_ENDPOINT_UNREACHABLE;
    if (calls_is_to_fail("send", 10, &code))
        request_complete(it, made, (mx_status_code_t)code);
    else if (!peer->connected)
        request_complete(it, made, MX_STATUS_BAD_SESSION);
    else if (made->number % 2 == 0) /* the memory of the other sends is read later */
        progress(it);
    else
        ring(it);
    return LEAVE(it, MX_SUCCESS);
}

static int file_of(const char *bytes, uint32_t length)
{
    int file = memfd_create("standin", MFD_CLOEXEC);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length)
        abort();
    return file;
}

void request_read(struct mx_endpoint *it, struct request *request)
{
    bool is_long = request->length > EAGER_MAX;
    if (sum_of(request->memory, request->length) != request->sum)
        calls_violation("mx_isend", "memory was written before its completion");
    int file = is_long ? file_of(request->memory, request->length) : -1;
    struct letter letter = {
        .kind = is_long ? LONG : SHORT, .number = request->number, .length = request->length, .match = request->match};
    enum delivery delivery = fabric_send(it, request->peer, &letter, is_long ? NULL : request->memory, file);
    if (file >= 0)
        close(file);
    request->peer->held_up = delivery == HELD_UP;
    if (delivery == NOBODY)
        request_complete(it, request, MX_STATUS_ENDPOINT_UNREACHABLE);
    else if (delivery == DELIVERED && is_long)
        request->state = POSTED;
    else if (delivery == DELIVERED)
        request_complete(it, request, MX_STATUS_SUCCESS);
}

void message_taken(struct mx_endpoint *it, struct peer *by, uint32_t number)
{
    struct request *request;
    TAILQ_FOREACH(request, &it->under_way, next)
        if (request->kind == SEND && request->state == POSTED && request->peer == by && request->number == number) {
            if (sum_of(request->memory, request->length) != request->sum)
                calls_violation("mx_isend", "memory was written before its completion");
            request_complete(it, request, MX_STATUS_SUCCESS);
            return;
        }
}

void requests_end(struct mx_endpoint *it, struct peer *peer, mx_status_code_t code)
{
    for (struct request *next, *request = TAILQ_FIRST(&it->under_way); request != NULL; request = next) {
        next = TAILQ_NEXT(request, next);
        if (request->kind == SEND && request->peer == peer)
            request_complete(it, request, code);
    }
}

/* ---- receiving ---- */

static void take(struct mx_endpoint *it, struct request *request, const struct letter *letter, struct peer *from,
                 const char *bytes, int file)
{
    for (uint32_t i = 0; i < request->length; i++)
        if ((unsigned char)request->memory[i] != SPOILT) {
            calls_violation("mx_irecv", "memory was written before its completion");
            break;
        }
    uint32_t fits = letter->length < request->length ? letter->length : request->length;
    request->status.source = peer_address(from);
    request->status.match_info = letter->match;
    request->status.msg_length = letter->length;
    request->status.xfer_length = fits;
    if (file >= 0) {
        if (pread(file, request->memory, fits, 0) != (ssize_t)fits)
            abort();
        close(file);
        note(it, from, (struct letter){.kind = TAKEN, .number = letter->number});
    } else {
        memcpy(request->memory, bytes, fits);
    }
    unsigned long code = MX_STATUS_ENDPOINT_UNREACHABLE;
    if (calls_is_to_fail("receive", 10, &code)) {
        memset(request->memory, SPOILT, fits);
        request->status.xfer_length = 0;
        request_complete(it, request, (mx_status_code_t)code);
    } else {
        request_complete(it, request, letter->length > fits ? MX_STATUS_TRUNCATED : MX_STATUS_SUCCESS);
    }
}

static bool matches(uint64_t message, uint64_t match, uint64_t mask)
{
    return (message & mask) == match;
}

void on_message(struct mx_endpoint *it, const struct letter *letter, struct peer *from, const char *bytes, int file)
{
    struct request *request;
    TAILQ_FOREACH(request, &it->under_way, next)
        if (request->kind == RECEIVE && matches(letter->match, request->match, request->mask)) {
            take(it, request, letter, from, bytes, file);
            return;
        }
    uint32_t length = file >= 0 ? 0 : letter->length;
    struct message *message = malloc(sizeof *message + length);
    if (message == NULL)
        abort();
    message->letter = *letter;
    message->from = from;
    message->file = file;
    memcpy(message->bytes, bytes, length);
    it->unexpected_bytes += length;
    TAILQ_INSERT_TAIL(&it->unexpected, message, next);
}

EXPORTED mx_return_t mx_irecv(mx_endpoint_t it, mx_segment_t *segments, uint32_t count, uint64_t match, uint64_t mask,
                              void *context, mx_request_t *out)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    CHECK((match & ~mask) == 0, "match information has bits that the mask lacks");
    struct request *made = new_request(__func__, it, segments, count);
    made->kind = RECEIVE;
    made->state = POSTED;
    made->match = match;
    made->mask = mask;
    made->status.context = context;
    memset(made->memory, SPOILT, made->length);
    *out = (mx_request_t)made;
    struct message *message;
    TAILQ_FOREACH(message, &it->unexpected, next)
        if (matches(message->letter.match, match, mask)) {
            TAILQ_REMOVE(&it->unexpected, message, next);
            it->unexpected_bytes -= message->file >= 0 ? 0 : message->letter.length;
            take(it, made, &message->letter, message->from, message->bytes, message->file);
            free(message);
            break;
        }
    return LEAVE(it, MX_SUCCESS);
}

/* ---- completions ---- */

EXPORTED mx_return_t mx_test_any(mx_endpoint_t it, uint64_t match, uint64_t mask, mx_status_t *status, uint32_t *result)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    CHECK((match & ~mask) == 0, "match information has bits that the mask lacks");
    progress(it);
    struct request *request;
    *result = 0;
    TAILQ_FOREACH(request, &it->complete, next)
        if (matches(request->status.match_info, match, mask)) {
            TAILQ_REMOVE(&it->complete, request, next);
            request->state = OVER;
            *status = request->status;
            *result = 1;
            record(request->kind == SEND ? "send" : "receive", (unsigned)request->status.code);
            break;
        }
    return LEAVE_QUIETLY(it, MX_SUCCESS);
}

EXPORTED mx_return_t mx_peek(mx_endpoint_t it, uint32_t timeout, mx_request_t *request, uint32_t *result)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    CHECK(timeout != MX_INFINITE, "a wait without end");
    unsigned wakeups = it->wakeups;
    progress(it);
    if (TAILQ_EMPTY(&it->complete) && it->wakeups == wakeups) {
        sleep_a_while(it, (int)timeout); /* once: a wait may end early without a completion */
        progress(it);
    }
    *result = !TAILQ_EMPTY(&it->complete);
    *request = (mx_request_t)TAILQ_FIRST(&it->complete);
    return LEAVE_QUIETLY(it, MX_SUCCESS);
}
