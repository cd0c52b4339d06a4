/* Moves messages. Only threads that are inside a call do so: the stand-in has no thread of its own. */
#include "standin.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { LOOK_MILLIS = 1 /* interval of looks while something is still to be sent or a sender is held up */ };

void note(struct mx_endpoint *it, struct peer *to, struct letter letter)
{
    struct note *made = malloc(sizeof *made);
    if (made == NULL)
        abort();
    *made = (struct note){.letter = letter, .to = to};
    TAILQ_INSERT_TAIL(&it->notes, made, next);
}

static void on_connect(struct mx_endpoint *it, const struct letter *letter)
{
    struct peer *from = peer_find(it, letter->from, letter->from_session);
    from->connected |= letter->key == it->key;
    mx_return_t result = letter->key == it->key ? MX_SUCCESS : MX_BAD_CONNECTION_KEY;
    note(it, from, (struct letter){.kind = ANSWER, .number = letter->number, .result = result});
}

static void on_answer(struct mx_endpoint *it, const struct letter *letter)
{
    struct peer *asked;
    SLIST_FOREACH(asked, &it->peers, next)
        if (asked->number != 0 && asked->number == letter->number) {
            asked->number = 0;
            asked->answer = (mx_return_t)letter->result;
            asked->answer_session = letter->from_session;
        }
    ring(it);
}

static void on_letter(struct mx_endpoint *it, const struct letter *letter, const char *bytes, int file)
{
    if (letter->kind == CONNECT) {
        on_connect(it, letter);
    } else if (letter->kind == ANSWER) {
        on_answer(it, letter);
    } else if (letter->to_session == it->session) { /* otherwise it is for an earlier endpoint with this id */
        struct peer *from = peer_find(it, letter->from, letter->from_session);
        if (letter->kind == TAKEN)
            message_taken(it, from, letter->number);
        else if (letter->kind == BYE)
            peer_lose(it, from, MX_STATUS_ENDPOINT_CLOSED);
        else if (letter->kind != NOTHING)
            on_message(it, letter, from, bytes, file);
    }
    if (file >= 0 && letter->kind != LONG)
        close(file);
}

static void receive(struct mx_endpoint *it)
{
    static char bytes[EAGER_MAX]; /* used by the lock's holder only */
    struct letter letter;
    int file;
    while (it->unexpected_bytes < UNEXPECTED_MAX && fabric_receive(it, &letter, bytes, &file) >= 0)
        on_letter(it, &letter, bytes, file);
}

/* Sends what is queued, as far as each peer's socket has room. The messages to one peer stay in order. */
static void send(struct mx_endpoint *it)
{
    struct peer *peer;
    SLIST_FOREACH(peer, &it->peers, next)
        peer->held_up = false;
    for (struct note *next, *note = TAILQ_FIRST(&it->notes); note != NULL; note = next) {
        next = TAILQ_NEXT(note, next);
        if (fabric_send(it, note->to, &note->letter, NULL, -1) == HELD_UP)
            continue;
        TAILQ_REMOVE(&it->notes, note, next);
        free(note);
    }
    for (struct request *next, *request = TAILQ_FIRST(&it->under_way); request != NULL; request = next) {
        next = TAILQ_NEXT(request, next);
        if (request->kind != SEND || request->peer->held_up)
            continue;
        if (request->state == QUEUED)
            request_read(it, request);
        else if (fabric_send(it, request->peer, &(struct letter){.kind = NOTHING}, NULL, -1) == NOBODY)
            request_complete(it, request, MX_STATUS_ENDPOINT_UNREACHABLE);
    }
}

void progress(struct mx_endpoint *it)
{
    receive(it);
    send(it);
}

static bool has_more_to_do(const struct mx_endpoint *it)
{
    const struct request *request;
    if (!TAILQ_EMPTY(&it->notes))
        return true;
    TAILQ_FOREACH(request, &it->under_way, next)
        if (request->kind == SEND)
            return true;
    return false;
}

void sleep_a_while(struct mx_endpoint *it, int millis)
{
    if (millis > LOOK_MILLIS && (has_more_to_do(it) || it->unexpected_bytes >= UNEXPECTED_MAX))
        millis = LOOK_MILLIS;
    bool full = it->unexpected_bytes >= UNEXPECTED_MAX;
    struct pollfd news[] = {{full ? -1 : it->socket, POLLIN, 0}, {it->bell, POLLIN, 0}};
    it->sleepers++;
    pthread_mutex_unlock(&lock);
    poll(news, 2, millis < 0 ? 0 : millis);
    pthread_mutex_lock(&lock);
    it->sleepers--;
    eventfd_t rung;
    if (it->sleepers == 0)
        eventfd_read(it->bell, &rung);
}

void ring(struct mx_endpoint *it)
{
    if (it->sleepers > 0)
        eventfd_write(it->bell, 1);
}
