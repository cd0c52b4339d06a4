/*
 * Runs a command that the system refuses something, for tests of what becomes of a program then:
 *
 *   restrict (CALL[:ARGUMENT(==|>=|&=)VALUE]=ERRNO | @FILE)... -- COMMAND [ARGUMENT...]
 *   restrict memfd_create=EPERM epoll_ctl:2>=100=ENOSPC @docker.rules -- java ...
 *
 * Each such system call, in the command and in whatever it starts, answers with that errno. With a condition this is so
 * only where the argument of that number, from 0, is that value (==), is at least that value (>=), or has a bit of that
 * value (&=): its low 32 bits, unsigned. A call is a name of the table below or of docker.rules, or a number. A file has
 * one rule in each line, and lines that begin with #. Calls that this processor does not have are left out there.
 * No privileges needed. It becomes the command. Limits that are numbers are prlimit(1)'s business.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449 /* Linux 5.16, on every processor */
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "seccomp's name of this architecture is missing"
#endif

enum { RULES_MAX = 160, RULE_LENGTH = 5, LINE_MAX = 128, NO_CALL = -1 };

static const struct {
    const char *name;
    unsigned int number;
} CALLS[] = {
    { "memfd_create", SYS_memfd_create }, { "socket", SYS_socket },   { "epoll_create1", SYS_epoll_create1 },
    { "epoll_ctl", SYS_epoll_ctl },       { "madvise", SYS_madvise },
    { "futex_waitv", SYS_futex_waitv },
#include "docker_calls.h" /* made by CMake: the calls of docker.rules */
};

static const struct {
    const char *name;
    unsigned int number;
} ERRNOS[] = {
    { "EPERM", EPERM },   { "EACCES", EACCES }, { "EFAULT", EFAULT }, { "EINVAL", EINVAL },
    { "EMFILE", EMFILE }, { "ENOSPC", ENOSPC }, { "ENOSYS", ENOSYS },
};

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("restrict: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(125);
}

static int call_number(const char *name)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    if (end != name && *end == '\0')
        return (int)number;
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
        if (strcmp(CALLS[i].name, name) == 0)
            return (int)CALLS[i].number;
    return NO_CALL;
}

static unsigned int errno_number(const char *name)
{
    for (size_t i = 0; i < sizeof ERRNOS / sizeof *ERRNOS; i++)
        if (strcmp(ERRNOS[i].name, name) == 0)
            return ERRNOS[i].number;
    refuse("unknown errno %s", name);
}

static unsigned int argument_offset(unsigned int number)
{
    /* Little-endian: the low half comes first. */
    return (unsigned int)(offsetof(struct seccomp_data, args) + number * sizeof(__u64));
}

/* The filter, which has the call's number in its accumulator at the beginning and at the end of each rule. */
static struct sock_filter program[4 + RULES_MAX * RULE_LENGTH + 1] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), /* nobody's here */
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
};
static size_t length = 4;
static int rules;

/* Appends what answers one rule. */
static void add(char *rule, bool may_be_unknown)
{
    char *answer = strrchr(rule, '=');
    if (answer == NULL)
        refuse("%s has no errno", rule);
    *answer++ = '\0';
    char *condition = strchr(rule, ':');
    if (condition != NULL)
        *condition++ = '\0';
    unsigned int argument = 0, value = 0;
    char relation = 0;
    if (condition != NULL && sscanf(condition, "%u%c=%i", &argument, &relation, (int *)&value) != 3)
        refuse("%s is no condition", condition);
    if (condition != NULL && (argument > 5 || strchr("=>&", relation) == NULL))
        refuse("%s is no condition", condition);
    int call = call_number(rule);
    if (call == NO_CALL && may_be_unknown)
        return;
    if (call == NO_CALL)
        refuse("unknown system call %s", rule);
    if (rules++ == RULES_MAX)
        refuse("too many rules");

    size_t n = length;
    unsigned int verdict = SECCOMP_RET_ERRNO | errno_number(answer);
    unsigned char rest = condition == NULL ? 1 : 4; /* of this rule's instructions */
    program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)call, 0, rest);
    if (condition != NULL) {
        program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_offset(argument));
        unsigned short compare = BPF_JMP | (relation == '=' ? BPF_JEQ : relation == '>' ? BPF_JGE : BPF_JSET) | BPF_K;
        program[n++] = (struct sock_filter)BPF_JUMP(compare, value, 0, 1);
    }
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict);
    if (condition != NULL)
        program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    length = n;
}

static void add_file(const char *name)
{
    FILE *file = fopen(name, "re");
    if (file == NULL)
        refuse("%s: %s", name, strerror(errno));
    char line[LINE_MAX];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0')
            add(line, true);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '@')
            add_file(argv[i] + 1);
        else
            add(argv[i], false);
    }
    if (i + 1 >= argc)
        refuse("usage: restrict (CALL[:ARGUMENT(==|>=|&=)VALUE]=ERRNO | @FILE)... -- COMMAND [ARGUMENT...]");
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = { .len = (unsigned short)length, .filter = program };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
        refuse("seccomp: %s", strerror(errno));
    execvp(argv[i + 1], argv + i + 1);
    refuse("%s: %s", argv[i + 1], strerror(errno));
}
