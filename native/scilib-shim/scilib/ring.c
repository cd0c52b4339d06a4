#include "ring.h"

enum { LONG_MIN_BYTES = 8192 /* longer messages go as several records, so that both cores copy at once */ };

static int64_t lines_of(int64_t bytes)
{
    return (RING_HEADER + bytes + INBOX_LINE - 1) / INBOX_LINE;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t chunk_of(int64_t window)
{
    return least(LONG_MIN_BYTES, window / 4) / INBOX_LINE * INBOX_LINE - RING_HEADER;
}

/* The lines that a message takes in records of at most chunk bytes. */
static int64_t lines_of_message(int64_t bytes, int64_t chunk)
{
    int64_t whole = bytes / chunk, rest = bytes % chunk;
    return whole * lines_of(chunk) + (rest > 0 ? lines_of(rest) : 0);
}

/* The bytes of the longest message that takes so many lines. */
static int64_t bytes_in(int64_t lines, int64_t chunk)
{
    int64_t whole = lines / lines_of(chunk), rest = lines % lines_of(chunk);
    return whole * chunk + (rest > 0 ? rest * INBOX_LINE - RING_HEADER : 0);
}

uint32_t ring_window(unsigned int count, unsigned int size)
{
    if (count == 0 || size == 0 || count > INBOX_WINDOW_MAX || size > INBOX_WINDOW_MAX)
        return 0;
    /* With the shortest chunk, which takes most lines: the real chunk follows from the window. */
    int64_t lines = count * lines_of_message(size, chunk_of(INBOX_WINDOW_MIN)) + RING_SLACK + RING_PAGE_LINES;
    int64_t window = (lines * INBOX_LINE + INBOX_PAGE - 1) / INBOX_PAGE * INBOX_PAGE;
    if (window > INBOX_WINDOW_MAX)
        return 0;
    return window < INBOX_WINDOW_MIN ? INBOX_WINDOW_MIN : (uint32_t)window;
}

static uint32_t advance(uint32_t at, int64_t count, uint32_t window)
{
    uint32_t next = at + (uint32_t)count * INBOX_LINE;
    return next >= window ? next - window : next;
}

/* ---- Sending ---- */

void ring_sender_init(struct ring_sender *sender, struct inbox *remote, const struct inbox *local, uint32_t window)
{
    *sender = (struct ring_sender){
        .remote = remote,
        .local = local,
        .window = window,
        .lines = window / INBOX_LINE,
        .chunk = chunk_of(window),
    };
}

/* Free lines (RING-2) without the slack, or RING_CORRUPT. Loads the head if fewer than "wanted" are known to be free. */
static int64_t free_lines(struct ring_sender *sender, int64_t wanted)
{
    int64_t known = sender->lines - (sender->tail - sender->known_head) - RING_SLACK;
    if (known >= wanted)
        return known;
    int64_t head = atomic_load_explicit(&sender->local->head, memory_order_acquire);
    if (head < sender->known_head || head > sender->tail)
        return RING_CORRUPT;
    sender->known_head = head;
    return sender->lines - (sender->tail - head) - RING_SLACK;
}

int ring_fits(struct ring_sender *sender, int64_t bytes)
{
    int64_t need = bytes <= sender->chunk ? lines_of(bytes) : lines_of_message(bytes, sender->chunk);
    int64_t free = free_lines(sender, need);
    return free < 0 ? RING_CORRUPT : free >= need;
}

int64_t ring_room(struct ring_sender *sender)
{
    int64_t free = free_lines(sender, sender->lines);
    return free < 0 ? RING_CORRUPT : bytes_in(free, sender->chunk);
}

static void put_record(struct ring_sender *sender, const unsigned char *from, int64_t length,
                       int64_t need)
{
    uint32_t next = advance(sender->at, need, sender->window);
    if (sender->tail + need != sender->zeroed) /* RING-1 */
        atomic_store_explicit(ring_header(sender->remote, next), 0, memory_order_relaxed);
    uint32_t start = sender->at + RING_HEADER;
    int64_t first = least(length, sender->window - start);
    ring_copy(sender->remote->ring + start, from, (size_t)first);
    if (first < length)
        ring_copy(sender->remote->ring, from + first, (size_t)(length - first));
    posted_order(&sender->posted);
    atomic_store_explicit(ring_header(sender->remote, sender->at), length, memory_order_release);
    sender->tail += need;
    sender->at = next;
}

int64_t ring_send_any(struct ring_sender *sender, const void *from, size_t length)
{
    int64_t sent = 0;
    while (sent < (int64_t)length) {
        int64_t part = least((int64_t)length - sent, sender->chunk);
        int64_t free = free_lines(sender, lines_of(part));
        if (free < 0)
            return RING_CORRUPT;
        if (free == 0)
            break;
        part = least(part, free * INBOX_LINE - RING_HEADER);
        put_record(sender, (const unsigned char *)from + sent, part, lines_of(part));
        sent += part;
    }
    return sent;
}

/* ---- Receiving ---- */

void ring_receiver_init(struct ring_receiver *receiver, struct inbox *local, uint32_t window)
{
    *receiver = (struct ring_receiver){
        .local = local,
        .window = window,
        .lines = window / INBOX_LINE,
        .lag = least(window / INBOX_LINE / 4, RING_PAGE_LINES),
    };
}

static void publish_head(struct ring_receiver *receiver)
{
    if (receiver->remote == NULL)
        return;
    receiver->published_head = receiver->head;
    posted_order(&receiver->posted);
    atomic_store_explicit(&receiver->remote->head, receiver->head, memory_order_release);
    receiver->published = true;
}

void ring_receiver_attach(struct ring_receiver *receiver, struct inbox *remote)
{
    receiver->remote = remote;
    publish_head(receiver);
}

/* Loads and checks a header: 0, or a length that fits the ring, or RING_CORRUPT. */
static int64_t header_at(const struct ring_receiver *receiver, uint32_t at)
{
    int64_t header = atomic_load_explicit(ring_header(receiver->local, at), memory_order_acquire);
    int64_t longest = (int64_t)receiver->window - RING_SLACK * INBOX_LINE - RING_HEADER;
    return header >= 0 && header <= longest ? header : RING_CORRUPT;
}

int64_t ring_available(const struct ring_receiver *receiver, int64_t enough)
{
    int64_t bytes = 0, walked = 0;
    uint32_t at = receiver->at;
    if (receiver->record_length > 0) {
        bytes = receiver->record_length - receiver->consumed;
        walked = lines_of(receiver->record_length);
        at = advance(at, walked, receiver->window);
    }
    while (bytes < enough && walked < receiver->lines) {
        int64_t header = header_at(receiver, at);
        if (header < 0)
            return RING_CORRUPT;
        if (header == 0)
            break;
        bytes += header;
        walked += lines_of(header);
        at = advance(at, lines_of(header), receiver->window);
    }
    return bytes;
}

static void consume_lines(struct ring_receiver *receiver, int64_t count)
{
    receiver->head += count;
    receiver->at = advance(receiver->at, count, receiver->window);
    if (receiver->head - receiver->published_head >= receiver->lines / 4)
        publish_head(receiver);
}

static void take(struct ring_receiver *receiver, unsigned char *into, int64_t count)
{
    uint32_t start = receiver->at + RING_HEADER + (uint32_t)receiver->consumed;
    if (start >= receiver->window)
        start -= receiver->window;
    int64_t first = least(count, receiver->window - start);
    ring_copy(into, receiver->local->ring + start, (size_t)first);
    if (first < count)
        ring_copy(into + first, receiver->local->ring, (size_t)(count - first));
    receiver->consumed += count;
    if (receiver->consumed == receiver->record_length) {
        int64_t lines = lines_of(receiver->record_length);
        receiver->record_length = 0;
        consume_lines(receiver, lines);
    }
}

int64_t ring_receive_any(struct ring_receiver *receiver, void *into, size_t length)
{
    int64_t received = 0;
    while (received < (int64_t)length) {
        if (receiver->record_length == 0) {
            int64_t header = header_at(receiver, receiver->at);
            if (header < 0)
                return RING_CORRUPT;
            if (header == 0)
                break;
            receiver->record_length = header;
            receiver->consumed = 0;
        }
        int64_t count = least((int64_t)length - received, receiver->record_length - receiver->consumed);
        take(receiver, (unsigned char *)into + received, count);
        received += count;
    }
    if (receiver->head - receiver->published_head >= RING_PAGE_LINES)
        publish_head(receiver);
    return received;
}
