/* What an endpoint makes of what others say to it, true or not, in order or not. */
#include <arpa/inet.h>
#include <string.h>

#include "check.h"
#include "endpoint.h"
#include "mx_extensions.h"
#include "played.h"
#include "wire.h"

enum { KEY = 77, EID = 3, PEER_EID = 5, SESSION = 1234, PEER = 0x0a000002 /* 10.0.0.2 */, EXACT = 1 };

#define OK(call) CHECK((call) == MX_SUCCESS)

static mx_endpoint_t ep;
static uint64_t nic;

static void begin(void)
{
    mx_set_error_handler(MX_ERRORS_RETURN);
    OK(mx_init());
    OK(mx_board_number_to_nic_id(0, &nic));
    OK(mx_open_endpoint(0, EID, KEY, NULL, 0, &ep));
    played_sent_count = 0;
}

static void end(void)
{
    OK(mx_close_endpoint(ep));
    OK(mx_finalize());
    CHECK(played_payloads == 0);
}

static struct wire_hello hello(void)
{
    return (struct wire_hello){
        .magic = WIRE_MAGIC,
        .version = WIRE_VERSION,
        .label = { 40, 41 },
        .from_nic = PEER,
        .from_eid = PEER_EID,
        .from_session = SESSION,
        .to_nic = nic,
        .to_eid = EID,
        .key = KEY,
        .connect = 9,
    };
}

static struct wire_answer answer_to(struct link *link, struct wire_hello hello)
{
    unsigned int before = played_sent_count;
    played_arrive(link, WIRE_HELLO, &hello, sizeof hello, PAYLOAD_PASSING, NULL, 0);
    CHECK(played_sent_count == before + 1 && played_sent.kind == WIRE_ANSWER && played_sent.link == link);
    CHECK(played_sent.header_length == sizeof(struct wire_answer));
    struct wire_answer answer;
    memcpy(&answer, played_sent.header, sizeof answer);
    CHECK(answer.magic == WIRE_MAGIC && answer.version == WIRE_VERSION && answer.connect == hello.connect);
    CHECK(answer.label.index == hello.label.index && answer.label.check == hello.label.check);
    return answer;
}

/* A peer that has connected; what it puts on its DATA. */
static struct wire_label connected(struct link **link)
{
    *link = played_accept(PEER);
    struct wire_answer answer = answer_to(*link, hello());
    CHECK(answer.verdict == WIRE_WELCOME && answer.session != 0);
    return answer.to_label;
}

static void data(struct wire_label label, uint64_t sequence, uint64_t match_info, int place, const char *text)
{
    struct wire_data header = { .label = label, .match_info = match_info, .sequence = sequence };
    played_arrive(NULL, WIRE_DATA, &header, sizeof header, place, text, strlen(text));
}

/* What a receive of any message gets; "" if there is none. */
static const char *received(mx_status_t *status)
{
    static char bytes[64];
    mx_segment_t segment = { bytes, sizeof bytes - 1 };
    mx_request_t request;
    uint32_t result;
    memset(bytes, 0, sizeof bytes);
    OK(mx_irecv(ep, &segment, 1, 0, 0, NULL, &request));
    OK(mx_test(ep, &request, status, &result));
    if (!result)
        OK(mx_cancel(ep, &request, &result));
    return bytes;
}

static void expect(const char *text)
{
    mx_status_t status;
    if (strcmp(received(&status), text) != 0) {
        fprintf(stderr, "expected \"%s\"\n", text);
        exit(1);
    }
}

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
    data(answer.to_label, 0, 0, PAYLOAD_HELD, "new");
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
    struct wire_bye bye = { .label = label, .sequence = 2 };
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

/* Both ends connect at the same time: there are two links, and one peer. */
static void crossing(void)
{
    begin();
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &request));
    struct wire_hello sent;
    memcpy(&sent, played_sent.header, sizeof sent);
    struct link *theirs = played_accept(PEER);
    struct wire_answer welcome = answer_to(theirs, hello());
    CHECK(welcome.verdict == WIRE_WELCOME && welcome.to_label.index == sent.label.index
          && welcome.to_label.check == sent.label.check);
    /* Over theirs there are messages both ways already. */
    data(sent.label, 0, 0, PAYLOAD_HELD, "hello");
    expect_and_answer("hello");
    CHECK(played_sent.kind == WIRE_DATA && played_sent.link == theirs);
    struct wire_answer answer = {
        .magic = WIRE_MAGIC,
        .version = WIRE_VERSION,
        .label = sent.label,
        .connect = sent.connect,
        .verdict = WIRE_WELCOME,
        .to_label = { 40, 41 },
        .session = SESSION,
    };
    played_arrive(NULL, WIRE_ANSWER, &answer, sizeof answer, PAYLOAD_PASSING, NULL, 0);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS && played_links == 2);
    end();
    CHECK(played_links == 0);
}

/* A time-out that has been taken off is nothing to wake up for. */
static void no_deadline_left(void)
{
    begin();
    mx_request_t request;
    uint32_t result;
    CHECK(ep->next_deadline == NEVER);
    OK(mx_irecv(ep, NULL, 0, 0, 0, NULL, &request));
    OK(mx_set_request_timeout(ep, request, 1000000));
    CHECK(ep->next_deadline != NEVER);
    OK(mx_cancel(ep, &request, &result));
    CHECK(result == 1 && ep->next_deadline == NEVER);
    end();
}

static void pass(uint64_t milliseconds)
{
    for (uint64_t since = clock_ms(); clock_ms() - since < milliseconds;)
        OK(mx_progress(ep));
}

/* A receive that has got its message doesn't time out any more: its memory is being written. */
static void fetched_late(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    char bytes[8] = "";
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_irecv(ep, &(mx_segment_t){ bytes, sizeof bytes }, 1, 0, 0, NULL, &request));
    played_takes_long = true;
    data(label, 0, 0, PAYLOAD_REMOTE, "long");
    played_takes_long = false;
    OK(mx_set_request_timeout(ep, request, 1));
    pass(3);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 0);
    played_fetched();
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS && strcmp(bytes, "long") == 0);
    end();
}

/* The end of the last one that connects ends the link, and with it what is over, but still under way: others keep their time. */
static void connects_expire(void)
{
    begin();
    mx_request_t first, second, third;
    mx_status_t status;
    uint32_t result;
    played_takes_long = true;
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &first));
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &second));
    played_takes_long = false;
    OK(mx_set_request_timeout(ep, second, 1));
    pass(3);
    OK(mx_test(ep, &second, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT && played_links == 1);
    OK(mx_irecv(ep, NULL, 0, 0, 0, NULL, &third));
    OK(mx_set_request_timeout(ep, third, 20));
    OK(mx_set_request_timeout(ep, first, 1));
    pass(3);
    OK(mx_test(ep, &first, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT && played_links == 0);
    pass(25);
    OK(mx_test(ep, &third, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT);
    end();
}

/* Its time is over also while nothing else moves. */
static void connect_without_progression(void)
{
    begin();
    mx_endpoint_addr_t address;
    OK(mx_disable_progression(ep));
    CHECK(mx_connect(ep, PEER, PEER_EID, KEY, 20, &address) == MX_TIMEOUT);
    CHECK(played_links == 0);
    OK(mx_reenable_progression(ep));
    end();
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

static bool over;

static void *receive_in_time(void *unused)
{
    pass(20); /* the other one falls asleep */
    OK(mx_set_request_timeout(ep, NULL, 40));
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_irecv(ep, NULL, 0, 10, UINT64_MAX, NULL, &request));
    uint64_t since = clock_ms();
    OK(mx_wait(ep, &request, 20000, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT && clock_ms() - since < 10000);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
        OK(mx_wakeup(ep));
    return unused;
}

/* One thread's request times out although another one, which didn't know of it, sleeps for both. */
static void time_out_beside_a_sleeper(void)
{
    begin();
    pthread_t thread;
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_irecv(ep, NULL, 0, 11, UINT64_MAX, NULL, &request));
    CHECK(pthread_create(&thread, NULL, receive_in_time, NULL) == 0);
    OK(mx_wait(ep, &request, MX_INFINITE, &status, &result));
    CHECK(result == 0);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    CHECK(pthread_join(thread, NULL) == 0);
    end();
}

/* Who waits for a word of ours that can't be sent is told by the end of the connection. */
static void speechless(void)
{
    begin();
    struct link *link;
    struct wire_data header = { .label = connected(&link), .sync = 5 };
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

static void *sleep_until_over(void *unused)
{
    mx_request_t request;
    uint32_t result;
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
        OK(mx_peek(ep, MX_INFINITE, &request, &result));
    return unused;
}

/* What happens in one thread's progress may leave something to do that only a transport that is armed again tells. */
static void sleeper_arms_again(void)
{
    begin();
    pthread_t thread;
    unsigned int arms = played_arms;
    over = false;
    CHECK(pthread_create(&thread, NULL, sleep_until_over, NULL) == 0);
    uint64_t since = clock_ms();
    while (__atomic_load_n(&played_arms, __ATOMIC_ACQUIRE) == arms)
        CHECK(clock_ms() - since < 30000);
    OK(mx_progress(ep)); /* takes the lock after it: the other thread sleeps */
    arms = __atomic_load_n(&played_arms, __ATOMIC_ACQUIRE);
    __atomic_store_n(&played_happens, true, __ATOMIC_RELEASE);
    OK(mx_progress(ep));
    __atomic_store_n(&played_happens, false, __ATOMIC_RELEASE);
    for (since = clock_ms(); __atomic_load_n(&played_arms, __ATOMIC_ACQUIRE) == arms;)
        CHECK(clock_ms() - since < 30000);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    OK(mx_wakeup(ep));
    CHECK(pthread_join(thread, NULL) == 0);
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
        size_t length = chance(&state, 4) == 0 ? chance(&state, sizeof header + 1) : (size_t[]){ 56, 40, 32, 16 }[chance(&state, 4)];
        for (size_t i = 0; i < sizeof header; i++)
            header[i] = (unsigned char)(chance(&state, 3) == 0 ? chance(&state, 256) : 0);
        if (chance(&state, 2) == 0)
            memcpy(header, &label, sizeof label);
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
    no_deadline_left();
    fetched_late();
    connects_expire();
    connect_without_progression();
    unsent();
    time_out_beside_a_sleeper();
    speechless();
    sleeper_arms_again();
    garbage();
    return 0;
}
