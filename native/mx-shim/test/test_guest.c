/*
 * The library as a guest in a program's process: signals are handled as before, with the same mask, nothing is written to
 * standard output or error, and the environment stays.
 */
#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

extern char **environ;

static void mine(int number)
{
    (void)number;
}

static bool same(const struct sigaction *a, const struct sigaction *b)
{
    return a->sa_handler == b->sa_handler && (a->sa_flags | 0x04000000) == (b->sa_flags | 0x04000000);
}

/* A signal that is sent to the process is handled by a thread of the program: all other threads block it. */
static void check_threads(void)
{
    DIR *directory = opendir("/proc/self/task");
    CHECK(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[300], line[200];
        unsigned long long blocked;
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid())
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *status = fopen(path, "re");
        while (status != NULL && fgets(line, sizeof line, status) != NULL)
            if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
                CHECK((blocked >> (SIGTERM - 1) & blocked >> (SIGCHLD - 1) & blocked >> (SIGUSR2 - 1) & 1) != 0);
        if (status != NULL)
            fclose(status);
    }
    closedir(directory);
}

int main(void)
{
    struct sigaction before[65], after;
    sigset_t mask_before, mask_after;
    static char *variables[1000];
    int output[2];
    size_t count = 0;

    /* All kinds of dispositions, set before UCX is loaded. */
    static const int handled[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGUSR2, SIGTERM, SIGCHLD };
    static const int ignored[] = { SIGPIPE, SIGHUP };
    for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++)
        CHECK(sigaction(handled[i], &(struct sigaction){ .sa_handler = mine, .sa_flags = SA_RESTART }, NULL) == 0);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        CHECK(signal(ignored[i], SIG_IGN) != SIG_ERR);
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigprocmask(SIG_BLOCK, &some, NULL);
    for (int i = 1; i < 65; i++)
        if (sigaction(i, NULL, &before[i]) != 0)
            before[i].sa_handler = SIG_ERR;
    sigprocmask(SIG_BLOCK, NULL, &mask_before);
    for (; environ[count] != NULL && count < 999; count++)
        variables[count] = environ[count];

    CHECK(pipe2(output, O_CLOEXEC | O_NONBLOCK) == 0);
    int real_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), real_err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    CHECK(dup2(output[1], STDOUT_FILENO) == STDOUT_FILENO && dup2(output[1], STDERR_FILENO) == STDERR_FILENO);

    char reason[MX_SHIM_REASON_BYTES];
    bool usable = mx_shim_probe(reason) == 0;
    if (usable) {
        begin();
        mx_endpoint_t endpoint = open_any();
        mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
        char text[100000] = "";
        mx_request_t receive = start_receive(endpoint, 1, 1, text, sizeof text);
        send_message(endpoint, self, 1, text, sizeof text);
        await(endpoint, &receive);
        check_threads();
        end(endpoint);
    }

    CHECK(dup2(real_out, STDOUT_FILENO) == STDOUT_FILENO && dup2(real_err, STDERR_FILENO) == STDERR_FILENO);
    char text[1000];
    ssize_t length = read(output[0], text, sizeof text);
    if (length > 0)
        fprintf(stderr, "it wrote: %.*s\n", (int)length, text);
    CHECK(length < 0);
    for (int i = 1; i < 65; i++)
        if (before[i].sa_handler != SIG_ERR) {
            CHECK(sigaction(i, NULL, &after) == 0);
            if (!same(&before[i], &after))
                fprintf(stderr, "signal %d is handled in another way\n", i);
            CHECK(same(&before[i], &after));
        }
    sigprocmask(SIG_BLOCK, NULL, &mask_after);
    for (int i = 1; i < 65; i++)
        CHECK(sigismember(&mask_before, i) == sigismember(&mask_after, i));
    for (size_t i = 0; i <= count; i++)
        CHECK(environ[i] == variables[i]);
    if (!usable) {
        printf("MX can't be used here: %s\n", reason);
        return SKIPPED;
    }
    return 0;
}
