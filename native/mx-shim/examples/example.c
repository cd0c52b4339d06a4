#define _GNU_SOURCE
#include "example.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_ENDPOINT = 3, PATIENCE = 10000 /* ms */ };

static _Noreturn void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [options]               as the server\n"
            "       %s -d HOST [options]       as the client\n"
            "  -b N       board of ours (default: 0)\n"
            "  -e N|any   our endpoint id (default: %d of the server, any of the client)\n"
            "  -f KEY     of the endpoints (default: 0x12345)\n"
            "  -w         sleep in waits, rather than poll\n"
            "of the client:\n"
            "  -d HOST    name or address of the server's host\n"
            "  -r N       the server's endpoint id (default: %d)\n"
            "  -s N       bytes in a message (default: 1)\n"
            "  -E N       up to that many, doubling (default: as -s)\n"
            "  -n N       messages of each length (default: 1000)\n",
            program, program, DEFAULT_ENDPOINT, DEFAULT_ENDPOINT);
    exit(2);
}

void must(mx_return_t result, const char *call)
{
    if (result != MX_SUCCESS) {
        fprintf(stderr, "%s: %s\n", call, mx_strerror(result));
        exit(1);
    }
}

void must_be_complete(mx_status_t status, const char *what)
{
    if (status.code != MX_STATUS_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, mx_strstatus(status.code));
        exit(1);
    }
}

void fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static uint32_t number(const char *text, const char *program)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 0);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > UINT32_MAX)
        usage(program);
    return (uint32_t)value;
}

struct options {
    char *host;
    uint32_t board, own, remote, key;
    struct plan plan;
    bool block;
};

static struct options options_of(int count, char **arguments)
{
    struct options options = { .own = DEFAULT_ENDPOINT, .remote = DEFAULT_ENDPOINT, .key = 0x12345, .plan = { 1, 0, 1000 } };
    bool own_given = false;
    int option;
    while ((option = getopt(count, arguments, "b:d:e:E:f:n:r:s:w")) != -1) {
        switch (option) {
        case 'b': options.board = number(optarg, arguments[0]); break;
        case 'd': options.host = optarg; break;
        case 'e':
            options.own = strcmp(optarg, "any") == 0 ? MX_ANY_ENDPOINT : number(optarg, arguments[0]);
            own_given = true;
            break;
        case 'E': options.plan.last = number(optarg, arguments[0]); break;
        case 'f': options.key = number(optarg, arguments[0]); break;
        case 'n': options.plan.count = number(optarg, arguments[0]); break;
        case 'r': options.remote = number(optarg, arguments[0]); break;
        case 's': options.plan.first = number(optarg, arguments[0]); break;
        case 'w': options.block = true; break;
        default: usage(arguments[0]);
        }
    }
    if (options.host != NULL && !own_given)
        options.own = MX_ANY_ENDPOINT;
    if (options.plan.last == 0)
        options.plan.last = options.plan.first;
    if (optind != count || options.plan.first == 0 || options.plan.last < options.plan.first || options.plan.count == 0)
        usage(arguments[0]);
    return options;
}

/* The client: sends the plan, and waits for the answer. */
static void ask(struct session *session, struct options *options)
{
    uint64_t nic;
    char name[MX_MAX_HOSTNAME_LEN];
    snprintf(name, sizeof name, "%s", options->host);
    must(mx_hostname_to_nic_id(name, &nic), "mx_hostname_to_nic_id");
    must(mx_connect(session->endpoint, nic, options->remote, options->key, PATIENCE, &session->peer), "mx_connect");
    mx_request_t ready = receive(session, READY, NULL, 0);
    mx_request_t request = send_to_peer(session, PLAN, &session->plan, sizeof session->plan);
    finish_request(session, &request);
    finish_request(session, &ready);
}

/* The server: takes the plan of the first client that asks. An answer needs no connection of its own. */
static void answer(struct session *session)
{
    mx_endpoint_addr_t own;
    uint64_t nic;
    uint32_t id;
    char name[MX_MAX_HOSTNAME_LEN];
    must(mx_get_endpoint_addr(session->endpoint, &own), "mx_get_endpoint_addr");
    must(mx_decompose_endpoint_addr(own, &nic, &id), "mx_decompose_endpoint_addr");
    must(mx_nic_id_to_hostname(nic, name), "mx_nic_id_to_hostname");
    printf("%s endpoint %u\n", name, id);
    fflush(stdout);

    mx_request_t request = receive(session, PLAN, &session->plan, sizeof session->plan);
    mx_status_t status;
    uint32_t result;
    must(mx_wait(session->endpoint, &request, MX_INFINITE, &status, &result), "mx_wait");
    must_be_complete(status, "the client's plan");
    if (status.msg_length != sizeof session->plan)
        fail("that is no plan");
    session->peer = status.source;
    request = send_to_peer(session, READY, NULL, 0);
    finish_request(session, &request);
}

struct session start(int count, char **arguments)
{
    struct options options = options_of(count, arguments);
    struct session session = { .plan = options.plan, .client = options.host != NULL, .block = options.block };
    mx_set_error_handler(MX_ERRORS_RETURN);
    must(mx_init(), "mx_init");
    must(mx_open_endpoint(options.board, options.own, options.key, NULL, 0, &session.endpoint), "mx_open_endpoint");
    if (session.client)
        ask(&session, &options);
    else
        answer(&session);
    return session;
}

void finish(struct session *session)
{
    must(mx_close_endpoint(session->endpoint), "mx_close_endpoint");
    must(mx_finalize(), "mx_finalize");
}

mx_request_t send_to_peer(struct session *session, uint64_t match, void *data, uint32_t length)
{
    mx_segment_t segment = { .segment_ptr = data, .segment_length = length };
    mx_request_t request;
    must(mx_isend(session->endpoint, &segment, 1, session->peer, match, NULL, &request), "mx_isend");
    return request;
}

mx_request_t receive(struct session *session, uint64_t match, void *data, uint32_t length)
{
    mx_segment_t segment = { .segment_ptr = data, .segment_length = length };
    mx_request_t request;
    must(mx_irecv(session->endpoint, &segment, 1, match, MX_MATCH_MASK_NONE, NULL, &request), "mx_irecv");
    return request;
}

mx_status_t finish_request(struct session *session, mx_request_t *request)
{
    mx_status_t status;
    uint32_t result = 0;
    if (session->block) {
        must(mx_wait(session->endpoint, request, MX_INFINITE, &status, &result), "mx_wait");
    } else {
        while (!result)
            must(mx_test(session->endpoint, request, &status, &result), "mx_test");
    }
    must_be_complete(status, "a message");
    return status;
}

void *memory(size_t length)
{
    void *data = NULL;
    if (posix_memalign(&data, 4096, length) != 0)
        fail("no memory");
    memset(data, 1, length);
    return data;
}

double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, ascending);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}
