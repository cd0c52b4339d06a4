/*
 * A process that calls exit while its threads are in calls, as a JVM does: it ends with its exit code, not by a signal, and
 * does not hang.
 */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 30, THREADS = 3 };

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t self;
static struct gauge *messages;

static void *talk(void *argument)
{
    uint64_t match = (uintptr_t)argument;
    static char out[100 * KB];
    char *in = malloc(sizeof out);
    CHECK(in != NULL);
    for (int i = 0;; i++) {
        size_t length = i % 2 == 0 ? 100 : sizeof out;
        mx_request_t receive = start_receive(endpoint, match, MX_MATCH_MASK_NONE, in, sizeof out);
        send_message(endpoint, self, match, out, length);
        await(endpoint, &receive);
        gauge_add(messages, 1);
    }
    return NULL;
}

static void *sleep_on(void *unused)
{
    mx_request_t receive = start_receive(endpoint, 99, MX_MATCH_MASK_NONE, NULL, 0);
    mx_status_t status;
    uint32_t result;
    mx_wait(endpoint, &receive, MX_INFINITE, &status, &result);
    return unused;
}

static void leave_in_the_middle(int talks)
{
    pthread_t thread;
    begin();
    endpoint = open_any();
    self = connect_to(endpoint, id_of(endpoint));
    messages = gauge_new();
    CHECK(pthread_create(&thread, NULL, sleep_on, NULL) == 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread, NULL, talk, (void *)i) == 0);
    gauge_await(messages, talks, WHILE);
    exit(7);
}

int main(void)
{
    need_mx();
    for (int i = 0; i < TIMES; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0)
            leave_in_the_middle(1 + i);
        int status;
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    return 0;
}
