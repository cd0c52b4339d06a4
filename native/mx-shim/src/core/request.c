#include "core/request.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

struct request *request_create(endpoint *ep, enum request_kind kind, uint64_t match_info, void *context)
{
    struct request *request = TAILQ_FIRST(&ep->spare);
    if (request != NULL)
        TAILQ_REMOVE(&ep->spare, request, of_endpoint);
    else if ((request = malloc(sizeof *request)) == NULL)
        return NULL;
    request->endpoint = ep;
    request->kind = kind;
    request->complete = request->under_way = request->held = request->buffered = request->waits = request->hidden =
        false;
    request->owned = true;
    request->status = (mx_status_t){
        .code = MX_STATUS_ENDPOINT_UNREACHABLE, /* until another code is set */
        .match_info = match_info,
        .context = context,
    };
    request->completion.match_info = match_info;
    request->deadline = NEVER;
    request->queue = NULL;
    request->segments = &request->one;
    request->count = 0;
    request->length = 0;
    request->scratch = NULL;
    TAILQ_INSERT_TAIL(&ep->requests, request, of_endpoint);
    if (ep->request_timeout != 0)
        request_set_timeout(request, ep->request_timeout);
    return request;
}

static void free_segments(struct request *request)
{
    if (request->segments != &request->one)
        free(request->segments);
    free(request->scratch);
    request->segments = &request->one;
    request->scratch = NULL;
}

bool request_segments(struct request *request, const mx_segment_t *list, uint32_t count)
{
    if (count > 1 && (request->segments = malloc(count * sizeof *request->segments)) == NULL) {
        request->segments = &request->one;
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].segment_length == 0)
            continue;
        request->segments[request->count++] = (struct iovec){ list[i].segment_ptr, list[i].segment_length };
        request->length += list[i].segment_length;
    }
    return true;
}

/* REQUEST-2: a short message is copied here, before anything of the library looks at its bytes. */
bool request_payload(struct request *request, const mx_segment_t *list, uint32_t count)
{
    uint64_t length = 0;
    for (uint32_t i = 0; i < count; i++)
        length += list[i].segment_length;
    if (length > SMALL_MAX)
        return request_segments(request, list, count);
    unsigned char *end = request->small;
    for (uint32_t i = 0; i < count; end += list[i++].segment_length)
        if (list[i].segment_length > 0)
            memcpy(end, list[i].segment_ptr, list[i].segment_length);
    request->one = (struct iovec){ request->small, (size_t)length };
    request->count = length > 0;
    request->length = length;
    request->buffered = true;
    return true;
}

bool request_is_buffered(const struct request *request)
{
    return request->buffered || (!request->under_way && !request->held);
}

void request_enqueue(struct request *request, struct request_queue *queue)
{
    request->queue = queue;
    TAILQ_INSERT_TAIL(&queue->all, request, of_queue);
}

static void release(struct request *request)
{
    endpoint *ep = request->endpoint;
    free_segments(request);
    TAILQ_REMOVE(&ep->requests, request, of_endpoint);
    TAILQ_INSERT_HEAD(&ep->spare, request, of_endpoint);
}

/* Removes the time-out of a request, and takes the request out of its peer's queue and of the list of waiting receives. */
static void detach(struct request *request)
{
    endpoint *ep = request->endpoint;
    request_set_timeout(request, 0);
    if (request->queue != NULL) {
        if (request->queue->held == request)
            request->queue->held = TAILQ_NEXT(request, of_queue);
        TAILQ_REMOVE(&request->queue->all, request, of_queue);
    }
    request->queue = NULL;
    request->held = false;
    if (request->kind == REQUEST_RECEIVE && request->waits)
        match_claims_remove(&ep->receives, &request->claim);
    request->waits = false;
}

void request_discard(struct request *request)
{
    detach(request);
    release(request);
}

void request_complete(struct request *request, mx_status_code_t code)
{
    endpoint *ep = request->endpoint;
    detach(request);
    request->status.code = code;
    request->complete = true;
    if (request->owned) {
        if (!request->hidden)
            match_items_add(&ep->completed, &request->completion);
        request->change = ++ep->changes;
    } else if (!request->under_way) {
        release(request);
    }
}

void request_operation_over(struct request *request)
{
    request->under_way = false;
    if (request->complete && !request->owned)
        release(request);
}

static void disown(struct request *request)
{
    if (!request->hidden)
        match_items_remove(&request->endpoint->completed, &request->completion);
    request->owned = false;
    if (!request->under_way)
        release(request);
}

void request_take(struct request *request, mx_status_t *status)
{
    *status = request->status;
    disown(request);
}

void request_forget(struct request *request)
{
    if (request->complete)
        disown(request);
    else
        request->owned = false;
}

bool request_may_expire(const struct request *request)
{
    return !request->complete && (request->kind != REQUEST_RECEIVE || !request->under_way);
}

void request_set_timeout(struct request *request, uint32_t milliseconds)
{
    endpoint *ep = request->endpoint;
    ep->timed -= request->deadline != NEVER;
    request->deadline = clock_deadline(milliseconds);
    ep->timed += request->deadline != NEVER;
    if (ep->timed == 0) {
        ep->next_deadline = NEVER; /* else a sleeping thread would wake for a past deadline, again and again */
    } else if (request->deadline < ep->next_deadline) {
        ep->next_deadline = request->deadline;
        ep->needs_progress = true; /* a sleeping thread waits for a later deadline */
    }
}

void requests_expire(endpoint *ep, void (*expire_connect)(struct request *))
{
    uint64_t now;
    if (ep->timed == 0 || ep->next_deadline > (now = clock_ms()))
        return;
    uint64_t next = NEVER;
    for (struct request *request = TAILQ_FIRST(&ep->requests); request != NULL;) {
        struct request *following = TAILQ_NEXT(request, of_endpoint);
        if (request->deadline <= now && request->kind == REQUEST_CONNECT) {
            expire_connect(request); /* this may end other requests too, also the following one */
            following = TAILQ_FIRST(&ep->requests);
        } else if (request->deadline <= now) {
            request_complete(request, MX_STATUS_TIMEOUT);
        } else if (request->deadline < next) {
            next = request->deadline;
        }
        request = following;
    }
    ep->next_deadline = next;
}

static void free_all(struct request_list *requests)
{
    for (struct request *request; (request = TAILQ_FIRST(requests)) != NULL;) {
        TAILQ_REMOVE(requests, request, of_endpoint);
        free_segments(request);
        free(request);
    }
}

void requests_close(endpoint *ep)
{
    free_all(&ep->requests);
    free_all(&ep->spare);
}
