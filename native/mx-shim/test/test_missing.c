/*
 * Where MX can't be used. Wrong settings are refused, and the reason names them. If the kernel does not tell the network interfaces, the
 * reason has its error. Without UCX the answer is no, with a line that says why, and mx_init gives MX_NO_DEV. For that the program runs
 * itself with an LD_LIBRARY_PATH where libucp.so.0 is no library.
 */
#include "check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void without_ucx(void)
{
    char reason[MX_SHIM_REASON_BYTES];
    for (int again = 0; again < 2; again++) {
        memset(reason, 'x', sizeof reason);
        CHECK(mx_shim_probe(reason) == -1);
        const char *end = memchr(reason, 0, sizeof reason);
        CHECK(end != NULL && end != reason && memchr(reason, '\n', (size_t)(end - reason)) == NULL);
        CHECK(strstr(reason, "UCX") != NULL);
    }
    CHECK(mx_shim_transports() == 0);
    mx_set_error_handler(MX_ERRORS_RETURN);
    EXPECT(MX_NO_DEV, mx_init());
    EXPECT(MX_NOT_INITIALIZED, mx_finalize());
    printf("%s\n", reason);
}

/* A wrong setting is never taken for another one. */
static void wrong_settings(void)
{
    static const char *const wrong[][2] = {
        { "MX_SHIM_PORT", "0" }, { "MX_SHIM_PORT", "70000" }, { "MX_SHIM_PORT", "57345" }, { "MX_SHIM_PORT", "x" },
        { "MX_SHIM_ADDRESS", "nowhere" }, { "MX_SHIM_ADDRESS", "192.0.2.255" },
    };
    mx_set_error_handler(MX_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char reason[MX_SHIM_REASON_BYTES];
        CHECK(setenv(wrong[i][0], wrong[i][1], 1) == 0);
        CHECK(mx_shim_probe(reason) == -1);
        CHECK(strstr(reason, wrong[i][0]) != NULL && strstr(reason, wrong[i][1]) != NULL);
        EXPECT(MX_NO_DEV, mx_init());
        CHECK(unsetenv(wrong[i][0]) == 0);
    }
}

/* Where the kernel can't be asked for the network interfaces, the reason has its error, and does not say that there are none. */
static void no_descriptor(void)
{
    struct rlimit before, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    none = before;
    none.rlim_cur = 0;
    char reason[MX_SHIM_REASON_BYTES];
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    int status = mx_shim_probe(reason);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(status == -1);
    CHECK(strcmp(reason, "the list of network interfaces: Too many open files") == 0);
}

int main(int count, char **arguments)
{
    if (count > 1) {
        without_ucx();
        return 0;
    }
    wrong_settings();
    no_descriptor();
    char folder[] = "/tmp/mx-missing-XXXXXX", library[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(library, sizeof library, "%s/libucp.so.0", folder);
    int fd = open(library, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, "not a library\n", 14) == 14 && close(fd) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        setenv("LD_LIBRARY_PATH", folder, 1);
        execl(arguments[0], arguments[0], "child", (char *)NULL);
        _exit(127);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(unlink(library) == 0 && rmdir(folder) == 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
