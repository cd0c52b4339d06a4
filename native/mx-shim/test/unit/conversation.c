#include "conversation.h"

mx_endpoint_t ep;
static uint64_t nic;

void begin(void)
{
    mx_set_error_handler(MX_ERRORS_RETURN);
    OK(mx_init());
    OK(mx_board_number_to_nic_id(0, &nic));
    OK(mx_open_endpoint(0, EID, KEY, NULL, 0, &ep));
    played_sent_count = 0;
}

void end(void)
{
    OK(mx_close_endpoint(ep));
    OK(mx_finalize());
    CHECK(played_payloads == 0);
}

struct wire_hello hello(void)
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
        .born = BORN,
    };
}

struct wire_answer answer_to(struct link *link, struct wire_hello hello)
{
    unsigned int before = played_sent_count;
    played_arrive(link, WIRE_HELLO, &hello, sizeof hello, PAYLOAD_PASSING, NULL, 0);
    CHECK(played_sent_count == before + 1 && played_sent.kind == WIRE_ANSWER && played_sent.link == link);
    CHECK(played_sent.header_length == sizeof(struct wire_answer));
    struct wire_answer answer;
    memcpy(&answer, played_sent.header, sizeof answer);
    CHECK(answer.magic == WIRE_MAGIC && answer.version == WIRE_VERSION && answer.connect == hello.connect);
    CHECK(answer.label.index == hello.label.index && answer.label.check == hello.label.check);
    CHECK(answer.verdict != WIRE_WELCOME || (answer.session == ep->session && answer.born == ep->born && ep->born > 0));
    return answer;
}

struct wire_label connected(struct link **link)
{
    *link = played_accept(PEER);
    struct wire_answer answer = answer_to(*link, hello());
    CHECK(answer.verdict == WIRE_WELCOME && answer.session != 0);
    return answer.to_label;
}

void data_of(uint32_t connection, struct wire_label label, uint64_t sequence, uint64_t match_info, int place, const char *text)
{
    struct wire_data header = { .head = { label, connection }, .match_info = match_info, .sequence = sequence };
    char bytes[5000] = ""; /* a shorter payload would be copied, and not held */
    memcpy(bytes, text, strlen(text));
    played_arrive(NULL, WIRE_DATA, &header, sizeof header, place, bytes, place == PAYLOAD_HELD ? sizeof bytes : strlen(text));
}

void data(struct wire_label label, uint64_t sequence, uint64_t match_info, int place, const char *text)
{
    data_of(SESSION, label, sequence, match_info, place, text);
}

const char *received(mx_status_t *status)
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

void expect(const char *text)
{
    mx_status_t status;
    if (strcmp(received(&status), text) != 0) {
        fprintf(stderr, "expected \"%s\"\n", text);
        exit(1);
    }
}
