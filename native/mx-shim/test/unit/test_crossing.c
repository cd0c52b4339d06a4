/*
 * Two endpoints that connect at the same time, over one link each: our link, on which no answer has come, and the peer's link.
 */
#include "conversation.h"
#include "core/peer.h"

struct crossing {
    mx_request_t connect;
    struct link *ours, *theirs;
    struct wire_label label;   /* on messages to us */
    struct wire_answer answer; /* what would come over our link from the same peer */
};

static void expect_and_answer(const char *text)
{
    mx_request_t request;
    mx_status_t status;
    CHECK(strcmp(received(&status), text) == 0);
    OK(mx_isend(ep, &(mx_segment_t){ (char[]){ "answer" }, 6 }, 1, status.source, 0, NULL, &request));
}

/* Both ends connect. Messages have gone both ways over the peer's link already. */
static struct crossing cross(void)
{
    struct crossing it;
    begin();
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &it.connect));
    it.ours = played_opened;
    struct wire_hello sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    it.label = sent.label;
    it.theirs = played_accept(PEER);
    struct wire_answer welcome = answer_to(it.theirs, hello());
    CHECK(welcome.verdict == WIRE_WELCOME && welcome.to_label.index == sent.label.index
          && welcome.to_label.check == sent.label.check);
    data(sent.label, 0, 0, PAYLOAD_HELD, "hello");
    expect_and_answer("hello");
    CHECK(played_sent.kind == WIRE_DATA && played_sent.link == it.theirs);
    it.answer = (struct wire_answer){
        .magic = WIRE_MAGIC,
        .version = WIRE_VERSION,
        .label = sent.label,
        .connect = sent.connect,
        .verdict = WIRE_WELCOME,
        .to_label = { 40, 41 },
        .session = SESSION,
        .born = BORN,
    };
    return it;
}

static void is_answered(const struct crossing *it)
{
    played_arrive(NULL, WIRE_ANSWER, &it->answer, sizeof it->answer, PAYLOAD_PASSING, NULL, 0);
}

static void expect_connect(struct crossing *it, mx_status_code_t code)
{
    mx_status_t status;
    uint32_t result;
    OK(mx_test(ep, &it->connect, &status, &result));
    CHECK(result == 1 && status.code == code);
}

/* Checks that messages go both ways over the peer's link. sequence is the number of the peer's messages before. */
static void expect_connected(const struct crossing *it, uint64_t sequence)
{
    data(it->label, sequence, 0, PAYLOAD_HELD, "more");
    expect_and_answer("more");
    CHECK(played_sent.kind == WIRE_DATA && played_sent.link == it->theirs);
}

static void end_without_links(void)
{
    end();
    CHECK(played_links == 0);
}

/*
 * Both links lead to the peer. If one of them fails, messages that went over it may be missing, so the connection ends. It also
 * ends if only the peer's link is known to lead to the peer, and that link fails.
 */
static void crossing(void)
{
    struct crossing unanswered = cross();
    played_lose(unanswered.theirs, false);
    expect_connect(&unanswered, MX_STATUS_ENDPOINT_UNREACHABLE);
    CHECK(played_links == 0);
    end();
    for (int way = 0; way < 2; way++) {
        struct crossing it = cross();
        is_answered(&it);
        expect_connect(&it, MX_STATUS_SUCCESS);
        CHECK(played_links == 2);
        expect_connected(&it, 1);
        played_lose(way == 0 ? it.ours : it.theirs, false);
        CHECK(played_links == 0);
        end();
    }
}

/*
 * Our link led to an endpoint that had this place before and is gone. That does not affect the endpoint that has the place now.
 */
static void crossing_the_dead(void)
{
    for (int refused = 0; refused < 2; refused++) {
        struct crossing it = cross();
        played_lose(it.ours, refused != 0);
        expect_connect(&it, refused != 0 ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
        CHECK(played_links == 1);
        expect_connected(&it, 1);
        end_without_links();
    }
    /* The same while HELLO is under way. */
    played_takes_long = true;
    begin();
    mx_request_t request;
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &request));
    struct link *ours = played_opened, *theirs = played_accept(PEER);
    CHECK(answer_to(theirs, hello()).verdict == WIRE_WELCOME);
    played_lose(ours, true);
    struct crossing it = { .connect = request };
    expect_connect(&it, MX_STATUS_ENDPOINT_CLOSED);
    CHECK(played_links == 1);
    played_takes_long = false;
    end_without_links();
    /* The former endpoint refuses us first, for example because of the key. */
    it = cross();
    it.answer.verdict = WIRE_WRONG_KEY;
    is_answered(&it);
    expect_connect(&it, MX_STATUS_BAD_KEY);
    played_lose(it.ours, false);
    CHECK(played_links == 1);
    expect_connected(&it, 1);
    end_without_links();
}

/* Starts a send that waits for MATCHED. Returns the number that MATCHED has to give. */
static uint32_t send_that_waits(const struct crossing *it, mx_request_t *waits)
{
    mx_status_t status;
    data(it->label, 1, 0, PAYLOAD_HELD, "synchronously");
    CHECK(strcmp(received(&status), "synchronously") == 0);
    OK(mx_issend(ep, NULL, 0, status.source, 0, NULL, waits));
    struct wire_data sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    return sent.sync;
}

/*
 * The same, but the former endpoint welcomes us first. A second such answer changes nothing. Requests that wait for the peer go
 * on waiting.
 */
static void crossing_the_past(void)
{
    struct crossing it = cross();
    mx_status_t status;
    uint32_t result;
    mx_request_t waits;
    uint32_t sync = send_that_waits(&it, &waits);
    it.answer.session++;
    it.answer.born--;
    it.answer.former++;
    is_answered(&it);
    is_answered(&it);
    expect_connect(&it, MX_STATUS_ENDPOINT_UNREACHABLE);
    CHECK(played_links == 1);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 0);
    struct wire_matched matched = { .head = { it.label, SESSION }, .sync = sync };
    played_arrive(NULL, WIRE_MATCHED, &matched, sizeof matched, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS);
    expect_connected(&it, 2);
    end_without_links();
}

static void say(enum wire_kind kind, const void *message, size_t length)
{
    played_arrive(NULL, kind, message, length, PAYLOAD_PASSING, NULL, 0);
}

/* The former endpoint knows our label too, and its messages may arrive until its link is closed. They don't count. */
static void the_past_speaks(void)
{
    struct crossing it = cross();
    mx_status_t status;
    uint32_t result;
    mx_request_t waits;
    uint32_t sync = send_that_waits(&it, &waits);
    uint32_t past = ++it.answer.session;
    it.answer.born--;
    is_answered(&it);
    unsigned int before = played_sent_count;
    data_of(past, it.label, 2, 0, PAYLOAD_HELD, "of the past");
    data_of(past, it.label, 3, 0, PAYLOAD_REMOTE, "of the past, early");
    expect("");
    struct wire_matched matched = { .head = { it.label, past }, .sync = sync };
    say(WIRE_MATCHED, &matched, sizeof matched);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 0);
    struct wire_bye bye = { .head = { it.label, past }, .sequence = 2 };
    say(WIRE_BYE, &bye, sizeof bye);
    CHECK(played_sent_count == before);
    say(WIRE_BYE_SEEN, &bye, sizeof bye);
    struct peer *peer = peer_of_label(ep, it.label);
    CHECK(!peer->seen_bye);
    struct wire_taken taken = { .head = { it.label, past }, .messages = 2 };
    say(WIRE_TAKEN, &taken, sizeof taken);
    CHECK(peer->out.taken.messages == 0);
    expect_connected(&it, 2);
    played_lose(it.theirs, false);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_UNREACHABLE); /* the peer has not sent BYE */
    end_without_links();
}

/* The same, before we know of the endpoint that has the place now. */
static void the_past_is_early(void)
{
    begin();
    struct crossing it;
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &it.connect));
    struct wire_hello sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    it.label = sent.label;
    for (uint64_t sequence = 0; sequence < 4; sequence++)
        data_of(SESSION + 1, it.label, sequence, 0, sequence % 2 == 0 ? PAYLOAD_HELD : PAYLOAD_REMOTE, "of the past");
    struct wire_bye bye = { .head = { it.label, SESSION + 1 } };
    say(WIRE_BYE, &bye, sizeof bye);
    unsigned int before = played_sent_count;
    it.theirs = played_accept(PEER);
    answer_to(it.theirs, hello());
    CHECK(played_sent_count == before + 1 && played_payloads == 0);
    expect_connected(&it, 0);
    expect_connected(&it, 1);
    end_without_links();
}

/* A HELLO comes over our own link. Then that link leads to the peer, and the connection ends with it. */
static void greeted_instead_of_answered(void)
{
    struct crossing it;
    begin();
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &it.connect));
    it.ours = played_opened;
    CHECK(answer_to(it.ours, hello()).verdict == WIRE_WELCOME);
    played_lose(it.ours, false);
    expect_connect(&it, MX_STATUS_ENDPOINT_UNREACHABLE);
    end_without_links();
}

/* No request waits for the answer any more, but both ends have the link. */
static void crossing_late(void)
{
    struct crossing it = cross();
    mx_status_t status;
    uint32_t result;
    OK(mx_set_request_timeout(ep, it.connect, 1));
    OK(mx_wait(ep, &it.connect, 10000, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT);
    is_answered(&it);
    played_lose(it.ours, false);
    CHECK(played_links == 0);
    end();
}

/* Our HELLO reached the peer after it had given up the attempt of its own HELLO; or before it made that attempt. */
static void crossing_attempts(void)
{
    struct crossing it = cross();
    it.answer.to_label.check++;
    it.answer.former++;
    is_answered(&it);
    expect_connect(&it, MX_STATUS_ENDPOINT_UNREACHABLE);
    CHECK(played_links == 0);
    end();
    it = cross();
    it.answer.to_label.check++;
    it.answer.former--;
    is_answered(&it);
    expect_connect(&it, MX_STATUS_ENDPOINT_UNREACHABLE);
    CHECK(played_links == 1);
    data_of(SESSION - 1, it.label, 1, 0, PAYLOAD_HELD, "of the attempt that was given up");
    expect("");
    expect_connected(&it, 1);
    end_without_links();
}

/* The other link belongs to the former endpoint: its HELLO was late, and the endpoint that has the place now answers us. */
static void crossing_the_present(void)
{
    struct crossing it = cross();
    mx_request_t waits;
    mx_status_t status;
    uint32_t result;
    send_that_waits(&it, &waits);
    it.answer.session++;
    it.answer.born++;
    is_answered(&it);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_CLOSED);
    expect_connect(&it, MX_STATUS_ENDPOINT_CLOSED); /* the program has to connect again */
    CHECK(played_links == 0);
    end();
}

int main(void)
{
    crossing();
    crossing_the_dead();
    crossing_the_past();
    crossing_the_present();
    the_past_speaks();
    the_past_is_early();
    greeted_instead_of_answered();
    crossing_late();
    crossing_attempts();
    return 0;
}
