/*
 * usage: test_inbox FILE [--print]
 *
 * The inbox byte for byte: what a sender and a receiver write must be what the file says (inbox.golden, which a test in Java
 * reads, too). A receiver must get from its records what was sent. --print writes the file's lines.
 */
#include <string.h>

#include "queues.h"
#include "ring.h"

enum { WINDOW = INBOX_WINDOW_MIN, ROW = 32, LATER = 4000, PART = 100 };

static const unsigned int SIZES[] = { 1, 8, 56, 57, 120, 3000, 2500 };
enum { SIZES_COUNT = sizeof SIZES / sizeof *SIZES, ALL = 1 + 8 + 56 + 57 + 120 + 3000 + 2500 };

static struct inbox *receivers, *senders;
static unsigned char bytes[ALL + LATER];

static struct inbox *new_inbox(int32_t window, unsigned int doorbell)
{
    struct inbox *inbox = aligned_alloc(INBOX_PAGE, INBOX_PAGE + (size_t)window);
    CHECK(inbox != NULL);
    memset(inbox, 0, INBOX_PAGE + (size_t)window);
    inbox->version = INBOX_QUEUE_VERSION;
    inbox->window = window;
    inbox->nonce = 0x0123456789abcdef;
    inbox->doorbell = doorbell;
    inbox->magic = INBOX_MAGIC;
    return inbox;
}

/* In the file's format: a line with a title, then a line for each row of bytes that are not all zero. */
static void print(FILE *out, const char *title, const struct inbox *inbox)
{
    static const unsigned char nothing[ROW];
    const unsigned char *image = (const unsigned char *)inbox;
    fprintf(out, "%s\n", title);
    for (int at = 0; at < INBOX_PAGE + inbox->window; at += ROW) {
        if (memcmp(image + at, nothing, ROW) == 0)
            continue;
        fprintf(out, "%04x ", at);
        for (int i = 0; i < ROW; i++)
            fprintf(out, "%02x", image[at + i]);
        fputc('\n', out);
    }
}

/* A receiver gets all bytes out of memory like this. */
static void receive_from(const struct inbox *image)
{
    static unsigned char got[ALL + 1];
    struct inbox *copy = new_inbox(WINDOW, 0);
    memcpy(copy, image, INBOX_PAGE + WINDOW);
    struct ring_receiver receiver;
    ring_receiver_init(&receiver, copy, WINDOW);
    CHECK(ring_available(&receiver, INT64_MAX) == ALL);
    CHECK(ring_receive(&receiver, got, ALL + 1) == ALL);
    stream_check(got, 0, ALL);
    free(copy);
}

static void write_images(FILE *out)
{
    struct ring_sender sender;
    struct ring_receiver receiver;
    ring_sender_init(&sender, receivers, senders, WINDOW);
    ring_receiver_init(&receiver, receivers, WINDOW);
    ring_receiver_attach(&receiver, senders);
    stream_fill(bytes, 0, sizeof bytes);
    int64_t sent = 0;
    for (int i = 0; i < SIZES_COUNT; i++) {
        sent += ring_send(&sender, bytes + sent, SIZES[i]);
        ring_zero_ahead(&sender);
    }
    CHECK(sent == ALL);
    receivers->sender = INBOX_SENDER_ID | 5;
    senders->reader_asleep = 1;
    print(out, "receiver's inbox, all sent", receivers);
    print(out, "sender's inbox, all sent", senders);
    receive_from(receivers);

    unsigned char got[ALL];
    CHECK(ring_receive(&receiver, got, ALL) == ALL);
    CHECK(ring_send(&sender, bytes + ALL, LATER) == LATER);
    ring_zero_ahead(&sender);
    CHECK(ring_receive(&receiver, got, PART) == PART);
    receivers->writer_asleep = 1;
    receivers->ended = INBOX_FIN;
    senders->reader_asleep = 0;
    senders->receiver = INBOX_CLOSED;
    print(out, "receiver's inbox, once round", receivers);
    print(out, "sender's inbox, once round", senders);
}

/* The file's text without the comment lines at its beginning. */
static char *whole_file(FILE *file)
{
    static char text[200000];
    rewind(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    CHECK(size > 0 && size < sizeof text - 1);
    text[size] = '\0';
    const char *start = text;
    while (start[0] == '#')
        start = strchr(start, '\n') + 1;
    return strdup(start);
}

int main(int argc, char **argv)
{
    CHECK(argc >= 2);
    receivers = new_inbox(WINDOW, 0x11223344);
    senders = new_inbox(0, 0x55667788);
    bool prints = argc > 2 && strcmp(argv[2], "--print") == 0;
    FILE *golden = prints ? NULL : fopen(argv[1], "re"), *actual = prints ? stdout : tmpfile();
    CHECK(actual != NULL && (prints || golden != NULL));
    write_images(actual);
    if (!prints) {
        char *expected = whole_file(golden), *found = whole_file(actual);
        if (strcmp(expected, found) != 0) {
            fputs(found, stderr);
            fputs("is not what the file says\n", stderr);
            return 1;
        }
        free(expected);
        free(found);
        fclose(golden);
        fclose(actual);
    }
    free(receivers);
    free(senders);
    return 0;
}
