/* What an endpoint makes of what others say to it, true or not, in order or not. */
#include "conversation.h"
#include "peer.h"

static void expect_and_answer(const char *text)
{
    mx_request_t request;
    mx_status_t status;
    CHECK(strcmp(received(&status), text) == 0);
    OK(mx_isend(ep, &(mx_segment_t){ (char[]){ "answer" }, 6 }, 1, status.source, 0, NULL, &request));
}

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
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT); /* not whom the kernel says */
    wrong = right;
    wrong.from_session = 0;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT);
    wrong = right;
    wrong.from_eid = 65535;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_SUCH_ENDPOINT);
    wrong = right;
    wrong.version++;
    CHECK(answer_to(other, wrong).verdict == WIRE_OTHER_VERSION);
    wrong.version = 1; /* which doesn't tell what it has taken */
    CHECK(answer_to(other, wrong).verdict == WIRE_OTHER_VERSION);
    CHECK(link_owner(other) == NULL);
    CHECK(answer_to(other, right).verdict == WIRE_WELCOME);
    wrong = right;
    wrong.from_eid++;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_RESOURCES); /* somebody else, over the same link */
    wrong = right;
    wrong.from_session++;
    CHECK(answer_to(other, wrong).verdict == WIRE_NO_RESOURCES);

    struct link *second = played_accept(PEER), *third = played_accept(PEER);
    CHECK(answer_to(second, hello()).verdict == WIRE_WELCOME);
    CHECK(answer_to(third, hello()).verdict == WIRE_NO_RESOURCES);
    CHECK(link_owner(third) == NULL);
    link_close(third);

    /* Opened anew: what came from the former one and is here stays, the rest of it goes. */
    data(label, 0, 0, PAYLOAD_HELD, "former");
    data(label, 2, 0, PAYLOAD_HELD, "former, early");
    struct wire_hello anew = hello();
    anew.from_session++;
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
    CHECK(played_sent_count == before); /* the first is still on its way */
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

    /* DATA overtakes the answer: it waits until it is known whose it is. */
    data(sent.label, 0, 5, PAYLOAD_HELD, "early bird");
    expect("");
    answer.verdict = WIRE_WELCOME;
    answer.connect--;
    played_arrive(NULL, WIRE_ANSWER, &answer, sizeof answer, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 0); /* a welcome by nobody: without a session */
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

    OK(mx_iconnect(ep, PEER, PEER_EID + 1, KEY, 0, NULL, &request));
    played_lose(played_opened, true);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_CLOSED);
    CHECK(played_links == 1);
    end();
}

/* Two ends that connect at the same time, over a link each: ours, which has not been answered, and theirs. */
struct crossing {
    mx_request_t connect;
    struct link *ours, *theirs;
    struct wire_label label;   /* on what comes to us */
    struct wire_answer answer; /* what would come over ours from the same peer */
};

/* Over theirs there are messages both ways already. */
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

/* Messages go both ways, over theirs; that one is in order, the number of those before it. */
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

/* Both are the peer's: what may have gone over one of them is missing when it fails. Or theirs alone is. */
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

/* Ours was on its way to an endpoint that had this place before, and is gone: that is nothing to the one that has it now. */
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
    /* It refuses us first: by its key, say. */
    it = cross();
    it.answer.verdict = WIRE_WRONG_KEY;
    is_answered(&it);
    expect_connect(&it, MX_STATUS_BAD_KEY);
    played_lose(it.ours, false);
    CHECK(played_links == 1);
    expect_connected(&it, 1);
    end_without_links();
}

/* The same, but it welcomes us first; once more is nothing new. What waits for the peer goes on waiting. */
static void crossing_the_past(void)
{
    struct crossing it = cross();
    mx_status_t status;
    uint32_t result;
    mx_request_t waits;
    data(it.label, 1, 0, PAYLOAD_HELD, "synchronously");
    CHECK(strcmp(received(&status), "synchronously") == 0);
    OK(mx_issend(ep, NULL, 0, status.source, 0, NULL, &waits));
    struct wire_data sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    it.answer.session++;
    it.answer.former++;
    is_answered(&it);
    is_answered(&it);
    expect_connect(&it, MX_STATUS_ENDPOINT_UNREACHABLE);
    CHECK(played_links == 1);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 0);
    struct wire_matched matched = { .head = { it.label, SESSION }, .sync = sent.sync };
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

/* It knows our label too, and what it said may arrive until its link is closed. */
static void the_past_speaks(void)
{
    struct crossing it = cross();
    mx_status_t status;
    uint32_t result;
    mx_request_t waits;
    data(it.label, 1, 0, PAYLOAD_HELD, "synchronously");
    received(&status);
    OK(mx_issend(ep, NULL, 0, status.source, 0, NULL, &waits));
    struct wire_data sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    uint32_t past = ++it.answer.session;
    is_answered(&it);
    unsigned int before = played_sent_count;
    data_of(past, it.label, 2, 0, PAYLOAD_HELD, "of the past");
    data_of(past, it.label, 3, 0, PAYLOAD_REMOTE, "of the past, early");
    expect("");
    struct wire_matched matched = { .head = { it.label, past }, .sync = sent.sync };
    say(WIRE_MATCHED, &matched, sizeof matched);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 0);
    struct wire_bye bye = { .head = { it.label, past }, .sequence = 2 };
    say(WIRE_BYE, &bye, sizeof bye);
    CHECK(played_sent_count == before);
    say(WIRE_BYE_SEEN, &bye, sizeof bye);
    struct peer *peer = peer_of_label(ep, it.label);
    CHECK(!peer->has_all);
    struct wire_taken taken = { .head = { it.label, past }, .messages = 2 };
    say(WIRE_TAKEN, &taken, sizeof taken);
    CHECK(peer->out.taken.messages == 0);
    expect_connected(&it, 2);
    played_lose(it.theirs, false);
    OK(mx_test(ep, &waits, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_ENDPOINT_UNREACHABLE); /* it has not said BYE */
    end_without_links();
}

/* The same before we know of the one that has its place now. */
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

/* Over our own link: then it is the peer's, and ends with it. */
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

/* Nobody waits for the answer any more, but both ends have the link. */
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

/* Ours found them after they had given up the attempt of their HELLO; or before they made it. */
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

/* The peer has lost its links, which nothing has told us, and connects again. What was under way is lost, and who goes on is told. */
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
    CHECK(answer_to(played_accept(PEER), again).verdict == WIRE_WELCOME); /* once more is nothing new */
    CHECK(played_links == 2);
    struct link *before = played_accept(PEER);
    CHECK(answer_to(before, hello()).verdict == WIRE_NO_RESOURCES); /* of before, and late */
    link_close(before);
    OK(mx_isend(ep, NULL, 0, late.source, 0, NULL, &request));
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS);
    end();
    CHECK(played_links == 0);
}

/* What could not be sent is not missed by those that follow. */
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

/* Who waits for a word of ours that can't be sent is told by the end of the connection. */
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

/* Anything may come, from a peer that is connected too: nothing of it is read beyond its end, or stays behind. */
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
    connecting();
    crossing();
    crossing_the_dead();
    crossing_the_past();
    the_past_speaks();
    the_past_is_early();
    greeted_instead_of_answered();
    crossing_late();
    crossing_attempts();
    anew();
    unsent();
    speechless();
    garbage();
    return 0;
}
