#include "played.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct transport {
    const struct transport_events *events;
    void *user;
    int descriptor;
};

enum { MOST = 8 };

struct link {
    void *owner;
    uint32_t address;
    struct operation *under_way[MOST];
    unsigned int count;
};

static struct transport only;

struct played_message played_sent;
unsigned int played_sent_count;
int played_links, played_payloads;
bool played_fails, played_takes_long, played_happens, played_shares_memory;
unsigned int played_arms;
void (*played_progress)(void);
struct link *played_opened;

static struct operation *fetching;
static struct payload fetched;

bool transport_find(char *reason)
{
    *reason = 0;
    return true;
}

void transport_forget(void)
{
}

struct reach transport_reach(void)
{
    return (struct reach){ .rdma = false, .tcp = true };
}

const char *transport_name(void)
{
    return "played";
}

enum transport_error transport_open(uint32_t address, const char *interface, uint16_t port, const struct transport_events *events,
                                    void *user, struct transport **result)
{
    (void)address, (void)interface, (void)port;
    only = (struct transport){ events, user, eventfd(0, EFD_CLOEXEC) };
    *result = &only;
    return TRANSPORT_OPEN;
}

void transport_close(struct transport *transport)
{
    close(transport->descriptor);
}

bool transport_progress(struct transport *transport)
{
    (void)transport;
    if (played_progress != NULL)
        played_progress();
    return __atomic_load_n(&played_happens, __ATOMIC_ACQUIRE);
}

int transport_descriptor(const struct transport *transport)
{
    return transport->descriptor;
}

void transport_descriptors(const struct transport *transport, int descriptors[TRANSPORT_DESCRIPTORS])
{
    for (unsigned int i = 0; i < TRANSPORT_DESCRIPTORS; i++)
        descriptors[i] = i == 0 ? transport_descriptor(transport) : -1;
}

void transport_waited(struct transport *transport, const bool readable[TRANSPORT_DESCRIPTORS])
{
    (void)transport, (void)readable;
}

bool transport_arm(struct transport *transport)
{
    (void)transport;
    __atomic_add_fetch(&played_arms, 1, __ATOMIC_ACQ_REL);
    return true;
}

static struct link *create(uint32_t address, void *owner)
{
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL)
        abort();
    *link = (struct link){ .owner = owner, .address = address };
    played_links++;
    return link;
}

struct link *link_open(struct transport *transport, uint32_t address, uint16_t port, void *owner)
{
    (void)transport, (void)port;
    return played_opened = create(address, owner);
}

void link_close(struct link *link)
{
    for (unsigned int i = 0; i < link->count; i++)
        link->under_way[i]->done(link->under_way[i], false);
    free(link);
    played_links--;
}

void *link_owner(const struct link *link)
{
    return link->owner;
}

void link_own(struct link *link, void *owner)
{
    link->owner = owner;
}

uint32_t link_address(const struct link *link)
{
    return link->address;
}

bool link_shares_memory(struct link *link)
{
    (void)link;
    return played_shares_memory;
}

enum submitted link_send(struct link *link, unsigned int kind, const void *header, size_t header_length,
                         const struct iovec *segments, size_t count, unsigned int flags, struct operation *operation)
{
    if (played_fails)
        return SUBMITTED_FAILED;
    played_sent = (struct played_message){ .kind = kind, .header_length = header_length, .flags = flags, .link = link };
    played_sent.data = count > 0 ? segments[0].iov_base : NULL;
    for (size_t i = 0; i < count; i++)
        played_sent.length += segments[i].iov_len;
    memcpy(played_sent.header, header, header_length);
    played_sent_count++;
    if (!played_takes_long)
        return SUBMITTED_DONE;
    if (link->count == MOST)
        abort();
    link->under_way[link->count++] = operation;
    return SUBMITTED_UNDER_WAY;
}

struct held {
    size_t length;
    unsigned char bytes[];
};

enum submitted payload_fetch(struct transport *transport, const struct payload *payload, const struct iovec *segments,
                             size_t count, struct operation *operation)
{
    const unsigned char *from = payload->data;
    for (size_t i = 0; i < count; from += segments[i++].iov_len)
        memcpy(segments[i].iov_base, from, segments[i].iov_len);
    if (played_takes_long) {
        fetching = operation;
        fetched = *payload;
        return SUBMITTED_UNDER_WAY;
    }
    payload_drop(transport, payload);
    return SUBMITTED_DONE;
}

void payload_drop(struct transport *transport, const struct payload *payload)
{
    (void)transport;
    free((char *)payload->data - offsetof(struct held, bytes));
    played_payloads--;
}

void played_fetched(void)
{
    payload_drop(&only, &fetched);
    fetching->done(fetching, true);
}

struct link *played_accept(uint32_t address)
{
    return create(address, NULL);
}

void played_arrive(struct link *link, unsigned int kind, const void *header, size_t header_length, int place, const void *data,
                   size_t length)
{
    struct held *held = malloc(sizeof *held + length);
    if (held == NULL)
        abort();
    if (length > 0)
        memcpy(held->bytes, data, length);
    struct payload payload = { .data = held->bytes, .length = length };
    memcpy(&payload.place, &place, sizeof place);
    played_payloads++; /* payload_drop, also when payload_fetch calls it, subtracts it again */
    if (only.events->received(only.user, link, kind, header, header_length, &payload))
        return;
    free(held);
    played_payloads--;
}

void played_lose(struct link *link, bool refused)
{
    only.events->lost(only.user, link, link->owner, refused);
}
