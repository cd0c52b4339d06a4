/* How an endpoint handles the messages of others, true or not, in order or not. */
#include "conversation.h"

static void in_order(void)
{
    static const int places[] = { PAYLOAD_PASSING, PAYLOAD_HELD, PAYLOAD_REMOTE };
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    for (unsigned int i = 0; i < 3; i++) {
        uint64_t first = 4 * i;
        data(label, first + 3, 0, places[i], "d");
        data(label, first + 1, 0, places[i], "b");
        data(label, first + 1, 0, places[i], "doubled");
        expect("");
        data(label, first, 0, places[i], "a");
        expect("a");
        expect("b");
        expect(""); /* c has not come */
        data(label, first + 2, 0, places[i], "c");
        data(label, first + 2, 0, places[i], "of the past");
        expect("c");
        expect("d");
        expect("");
    }
    mx_status_t status;
    data(label, 12, 99, PAYLOAD_HELD, "x");
    received(&status);
    uint64_t from;
    uint32_t eid, session;
    OK(mx_decompose_endpoint_addr2(status.source, &from, &eid, &session));
    CHECK(from == PEER && eid == PEER_EID && session == SESSION && status.match_info == 99);
    data(label, 14, 0, PAYLOAD_HELD, "early for ever");
    data(label, 13, 0, PAYLOAD_REMOTE, "never fetched");
    end();
    CHECK(played_links == 0);
}

static void lost(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    data(label, 0, 1, PAYLOAD_HELD, "here");
    data(label, 1, 2, PAYLOAD_REMOTE, "not here");
    data(label, 3, 3, PAYLOAD_HELD, "early");
    played_lose(link, false);
    CHECK(played_links == 0 && played_payloads == 1);
    expect("here");
    expect("");
    data(label, 2, 4, PAYLOAD_HELD, "from the dead");
    expect("");
    end();
}

static bool is_answered(struct link *link, const void *hello, size_t length)
{
    unsigned int before = played_sent_count;
    played_arrive(link, WIRE_HELLO, hello, length, PAYLOAD_PASSING, NULL, 0);
    return played_sent_count > before;
}

/* A HELLO of another version may be longer than ours, or shorter. */
static void other_lengths(struct link *link, struct wire_hello hello)
{
    struct {
        struct wire_hello hello;
        char more[100];
    } longer = { .hello = hello };
    CHECK(!is_answered(link, &longer, sizeof longer) && !is_answered(link, &longer, WIRE_HELLO_LEAST));
    longer.hello.version++;
    CHECK(!is_answered(link, &longer, WIRE_HELLO_LEAST - 1));
    for (int i = 0; i < 2; i++) {
        CHECK(is_answered(link, &longer, i == 0 ? sizeof longer : WIRE_HELLO_LEAST));
        struct wire_answer answer;
        memcpy(&answer, played_sent.header, sizeof answer);
        CHECK(answer.verdict == WIRE_OTHER_VERSION && answer.connect == hello.connect && answer.label.check == hello.label.check);
    }
}

static void strangers(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    data((struct wire_label){ label.index, label.check + 1 }, 0, 0, PAYLOAD_HELD, "wrong check");
    data((struct wire_label){ label.index + 1, label.check }, 0, 0, PAYLOAD_HELD, "wrong index");
    data((struct wire_label){ UINT32_MAX, label.check }, 0, 0, PAYLOAD_REMOTE, "far off");
    expect("");

    struct link *other = played_accept(PEER + 1);
    struct wire_hello wrong = hello();
    wrong.from_nic = PEER + 1;
    struct wire_hello right = wrong;
    wrong.key++;
    CHECK(answer_to(other, wrong).verdict == WIRE_WRONG_KEY);
    wrong = right;
    wrong.to_eid++;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT);
    wrong = right;
    wrong.from_nic = PEER;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT); /* not the address that the kernel gives */
    wrong = right;
    wrong.from_session = 0;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT);
    wrong = right;
    wrong.from_eid = 65535;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT);
    wrong = right;
    wrong.version++;
    CHECK(answer_to(other, wrong).verdict == WIRE_OTHER_VERSION);
    wrong.version = 1; /* version 1 doesn't tell what it has taken */
    CHECK(answer_to(other, wrong).verdict == WIRE_OTHER_VERSION);
    other_lengths(other, right);
    CHECK(link_owner(other) == NULL);
    CHECK(answer_to(other, right).verdict == WIRE_WELCOME);
    wrong = right;
    wrong.from_eid++;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_RESOURCES); /* another endpoint, over the same link */
    wrong = right;
    wrong.from_session++;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_RESOURCES);

    struct link *second = played_accept(PEER), *third = played_accept(PEER);
    CHECK(answer_to(second, hello()).verdict == WIRE_WELCOME);
    CHECK(answer_to(third, hello()).verdict == WIRE_NO_RESOURCES);
    CHECK(link_owner(third) == NULL);
    link_close(third);

    /* The peer is opened anew. Messages of the former endpoint that have been taken in stay, its other messages are dropped. */
    data(label, 0, 0, PAYLOAD_HELD, "former");
    data(label, 2, 0, PAYLOAD_HELD, "former, early");
    struct wire_hello anew = hello();
    anew.from_session++;
    anew.born++;
    struct link *fresh = played_accept(PEER);
    struct wire_answer answer = answer_to(fresh, anew);
    CHECK(answer.verdict == WIRE_WELCOME);
    data(label, 1, 0, PAYLOAD_HELD, "former, late");
    data_of(anew.from_session, answer.to_label, 0, 0, PAYLOAD_HELD, "new");
    expect("former");
    expect("new");
    expect("");
    end();
    CHECK(played_links == 0);
}

static void farewell(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    struct wire_bye bye = { .head = { label, SESSION }, .sequence = 2 };
    data(label, 1, 0, PAYLOAD_HELD, "second");
    unsigned int before = played_sent_count;
    played_arrive(NULL, WIRE_BYE, &bye, sizeof bye, PAYLOAD_PASSING, NULL, 0);
    CHECK(played_sent_count == before); /* the first message is still on its way */
    data(label, 0, 0, PAYLOAD_HELD, "first");
    CHECK(played_sent_count == before + 1 && played_sent.kind == WIRE_BYE_SEEN);
    expect("first");
    expect("second");
    mx_status_t status;
    data(label, 2, 0, PAYLOAD_PASSING, "after the end");
    received(&status);
    played_lose(link, false);
    mx_request_t request;
    uint32_t result;
    OK(mx_isend(ep, NULL, 0, status.source, 0, NULL, &request));
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_CLOSED);
    end();
}

/*
 * The endpoint that had this place before has died, and its HELLO is late. It is refused because it is older, even if it had
 * made more connections.
 */
static void the_dead_are_late(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    struct wire_hello dead = hello();
    dead.from_session++;
    dead.born--;
    for (uint64_t i = 0; i < 2; i++, dead.former += 9) {
        struct link *late = played_accept(PEER);
        CHECK(answer_to(late, dead).verdict == WIRE_SUPERSEDED);
        link_close(late);
        data(label, i, 0, PAYLOAD_HELD, "alive");
        expect("alive");
    }
    end();
}

static void connecting(void)
{
    begin();
    mx_request_t request, second;
    mx_status_t status;
    uint32_t result;
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 11, NULL, &request));
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY + 1, 12, NULL, &second));
    CHECK(played_links == 1 && played_sent.kind == WIRE_HELLO && played_sent.link == played_opened);
    struct wire_hello sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    CHECK(sent.from_session == ep->session && sent.born == ep->born);
    struct wire_answer answer = {
        .magic = WIRE_MAGIC,
        .version = WIRE_VERSION,
        .label = sent.label,
        .connect = sent.connect,
        .verdict = WIRE_WRONG_KEY,
    };
    played_arrive(NULL, WIRE_ANSWER, &answer, sizeof answer, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &second, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_BAD_KEY && status.match_info == 12);

    /* DATA overtakes the answer: it waits until its sender is known. */
    data(sent.label, 0, 5, PAYLOAD_HELD, "early bird");
    expect("");
    answer.verdict = WIRE_WELCOME;
    answer.connect--;
    played_arrive(NULL, WIRE_ANSWER, &answer, sizeof answer, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 0); /* a welcome without a session is ignored */
    answer.session = SESSION;
    answer.to_label = (struct wire_label){ 1, 2 };
    answer.version = 1;
    played_arrive(NULL, WIRE_ANSWER, &answer, sizeof answer, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 0);
    answer.version = WIRE_VERSION;
    played_arrive(NULL, WIRE_ANSWER, &answer, sizeof answer, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS && status.match_info == 11);
    mx_endpoint_addr_t address = status.source;
    CHECK(strcmp(received(&status), "early bird") == 0);
    CHECK(memcmp(&status.source, &address, sizeof address) == 0);

    /* An endpoint of another version refuses us. Its answers have another length. */
    for (int longer = 0; longer < 2; longer++) {
        OK(mx_iconnect(ep, PEER, PEER_EID + 1, KEY, 0, NULL, &request));
        memcpy(&sent, played_sent.header, sizeof sent);
        struct {
            struct wire_answer answer;
            char more[100];
        } other = { .answer = { WIRE_MAGIC, WIRE_VERSION, sent.label, sent.connect, WIRE_OTHER_VERSION, { 1, 2 }, SESSION, 0, BORN } };
        size_t length = longer ? sizeof other : WIRE_ANSWER_LEAST;
        played_arrive(NULL, WIRE_ANSWER, &other, length, PAYLOAD_PASSING, NULL, 0);
        OK(mx_test(ep, &request, &status, &result));
        CHECK(result == 0); /* in our version it would have another length */
        other.answer.version++;
        played_arrive(NULL, WIRE_ANSWER, &other, length, PAYLOAD_PASSING, NULL, 0);
        OK(mx_test(ep, &request, &status, &result));
        CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_UNREACHABLE);
    }

    OK(mx_iconnect(ep, PEER, PEER_EID + 1, KEY, 0, NULL, &request));
    played_lose(played_opened, true);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_CLOSED);
    CHECK(played_links == 1);
    end();
}

/*
 * The peer has lost its links, which nothing has told us, and connects again. Messages under way are lost, and a program that
 * goes on sending to the old address is told.
 */
static void anew(void)
{
    begin();
    struct link *link;
    data(connected(&link), 0, 0, PAYLOAD_HELD, "before");
    mx_status_t status, late;
    CHECK(strcmp(received(&status), "before") == 0);
    mx_request_t waits, request;
    uint32_t result;
    OK(mx_issend(ep, NULL, 0, status.source, 0, NULL, &waits));

    struct wire_hello again = hello();
    again.label.check++;
    again.former++;
    struct link *other = played_accept(PEER);
    struct wire_answer answer = answer_to(other, again);
    CHECK(answer.verdict == WIRE_WELCOME && played_links == 1);
    OK(mx_test(ep, &waits, &late, &result));
    CHECK(result == 1 && late.code == MX_STATUS_ENDPOINT_UNREACHABLE);
    OK(mx_isend(ep, NULL, 0, status.source, 0, NULL, &request));
    OK(mx_test(ep, &request, &late, &result));
    CHECK(result == 1 && late.code == MX_STATUS_BAD_SESSION);

    data_of(SESSION + 1, answer.to_label, 0, 0, PAYLOAD_HELD, "after");
    CHECK(strcmp(received(&late), "after") == 0);
    CHECK(memcmp(&late.source, &status.source, sizeof late.source) != 0);
    OK(mx_isend(ep, NULL, 0, late.source, 0, NULL, &request));
    OK(mx_test(ep, &request, &status, &result));
    struct wire_data sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS && played_sent.link == other);
    CHECK(sent.head.label.index == again.label.index && sent.head.label.check == again.label.check && sent.sequence == 0);
    CHECK(answer.former > 0 && sent.head.connection == answer.session + answer.former);
    CHECK(answer_to(played_accept(PEER), again).verdict == WIRE_WELCOME); /* a repeated HELLO changes nothing */
    CHECK(played_links == 2);
    struct link *before = played_accept(PEER);
    CHECK(answer_to(before, hello()).verdict == WIRE_SUPERSEDED); /* a late HELLO of the connection before */
    link_close(before);
    OK(mx_isend(ep, NULL, 0, late.source, 0, NULL, &request));
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS);
    end();
    CHECK(played_links == 0);
}

/* A message that could not be sent leaves no gap in the sequence of those that follow. */
static void unsent(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    data(label, 0, 0, PAYLOAD_HELD, "a");
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    received(&status);
    mx_endpoint_addr_t peer = status.source;
    for (uint64_t sequence = 0; sequence < 3; sequence++) {
        played_fails = true;
        OK(mx_isend(ep, NULL, 0, peer, 0, NULL, &request));
        played_fails = false;
        OK(mx_test(ep, &request, &status, &result));
        CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_UNREACHABLE);
        OK(mx_isend(ep, NULL, 0, peer, 0, NULL, &request));
        OK(mx_test(ep, &request, &status, &result));
        CHECK(result == 1 && status.code == MX_STATUS_SUCCESS);
        struct wire_data header;
        memcpy(&header, played_sent.header, sizeof header);
        CHECK(played_sent.kind == WIRE_DATA && header.sequence == sequence);
    }
    end();
}

/* If a message that the peer waits for can't be sent, the connection ends, which tells the peer. */
static void speechless(void)
{
    begin();
    struct link *link;
    struct wire_data header = { .head = { connected(&link), SESSION }, .sync = 5 };
    played_arrive(NULL, WIRE_DATA, &header, sizeof header, PAYLOAD_PASSING, "a", 1);
    played_fails = true;
    mx_status_t status;
    received(&status); /* MATCHED fails */
    played_fails = false;
    OK(mx_progress(ep));
    CHECK(played_links == 0);
    mx_request_t request;
    uint32_t result;
    OK(mx_isend(ep, NULL, 0, status.source, 0, NULL, &request));
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_UNREACHABLE);
    end();
}

/* Any bytes may come, also from a connected peer. They are not read beyond their end, and nothing of them stays behind. */
static void garbage(void)
{
    enum { ROUNDS = 200000 };
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    unsigned int state = 7;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        unsigned char header[64], bytes[40] = { 0 };
        size_t length = chance(&state, 4) == 0 ? chance(&state, sizeof header + 1) : (size_t[]){ 56, 40, 32, 24, 16 }[chance(&state, 5)];
        for (size_t i = 0; i < sizeof header; i++)
            header[i] = (unsigned char)(chance(&state, 3) == 0 ? chance(&state, 256) : 0);
        const struct wire_head head = { label, SESSION };
        if (chance(&state, 2) == 0)
            memcpy(header, &head, chance(&state, 8) == 0 ? sizeof label : sizeof head);
        struct wire_hello almost = hello();
        if (chance(&state, 8) == 0) {
            memcpy(header, &almost, sizeof almost);
            header[chance(&state, sizeof almost)] ^= (unsigned char)(1u << chance(&state, 8));
        }
        unsigned char *exact = malloc(length); /* so that a sanitizer sees its end */
        CHECK(exact != NULL || length == 0);
        if (length > 0)
            memcpy(exact, header, length);
        played_arrive(chance(&state, 2) == 0 ? link : NULL, chance(&state, 8), exact, length, (int)chance(&state, 3), bytes,
                      chance(&state, sizeof bytes));
        free(exact);
        mx_status_t status;
        if (round % 64 == 0)
            received(&status);
    }
    end();
}

int main(void)
{
    in_order();
    lost();
    strangers();
    farewell();
    the_dead_are_late();
    connecting();
    anew();
    unsent();
    speechless();
    garbage();
    return 0;
}
