/* Opens UCX when it is first needed, and limits what UCX does to the process that opens it. */
#include "link/ucx.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/environment.h"

struct ucx ucx;

static char why_not[TRANSPORT_REASON_BYTES];

/*
 * UCX reads these while its library is being loaded. Without them UCX would do things that a library must not do in a program's
 * process: set handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGHUP, write lines to the program's standard output, and put
 * new code at the start of mmap, munmap and others (without that code, memory is registered anew for each rendezvous). What the
 * user has set in the environment stays.
 */
static const struct variable while_loading[] = {
    { "UCX_ERROR_SIGNALS", "" },
    { "UCX_DEBUG_SIGNO", "0" },
    { "UCX_LOG_LEVEL", "fatal" },
    { "UCX_MEM_EVENTS", "n" },
    { "UCX_MEMTYPE_CACHE", "n" },
    { "UCX_VFS_ENABLE", "n" },
};

/* The same for a context. A process's death has to be noticed soon, also by a peer that shares memory with it. */
static const struct {
    const char *variable, *name, *value; /* name: the one that ucp_config_modify takes */
} of_context[] = {
    { "UCX_KEEPALIVE_INTERVAL", "KEEPALIVE_INTERVAL", "1s" },
    { "UCX_MM_ERROR_HANDLING", "MM_ERROR_HANDLING", "y" },
    { "UCX_CM_REUSEADDR", "CM_REUSEADDR", "y" },
    /*
     * UCX 1.13 aborts a process whose peer dies during a large message, if UCX sends that message as a put. A send that fails
     * clears a flag. The acknowledgement of the put, which is read later, asserts that flag (uct_tcp_ep_handle_put_ack).
     * Without puts UCX sends large messages as active messages.
     */
    { "UCX_TCP_PUT_ENABLE", "PUT_ENABLE", "n" },
};

static bool fail(const char *what, const char *why)
{
    snprintf(why_not, sizeof why_not, "%s: %s", what, why);
    for (char *c = why_not; *c != 0; c++)
        if (*c == '\n')
            *c = ' ';
    return false;
}

static bool load(void)
{
    /* UCX has threads and exit handlers, so it can't be unloaded. */
    void *library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        return fail("no UCX", dlerror());
#define X(name)                                                          \
    ucx.name = (__typeof__(name) *)dlsym(library, #name);                \
    if (ucx.name == NULL)                                                \
        return fail("UCX is too old", "it has no function " #name);
    UCX_FUNCTIONS(X)
#undef X
    unsigned int major, minor, release;
    ucx.ucp_get_version(&major, &minor, &release);
    if (major != UCP_API_MAJOR || minor < UCP_API_MINOR) {
        char why[64];
        snprintf(why, sizeof why, "it is %u.%u, and at least %d.%d is needed", major, minor, UCP_API_MAJOR, UCP_API_MINOR);
        return fail("UCX is of another version", why);
    }
    snprintf(ucx.name, sizeof ucx.name, "UCX %s", ucx.ucp_get_version_string());
    return true;
}

/*
 * Finds out what a context can reach. UCX gives that only as text: "# resource 3 : md 2 dev 1 flags -- rc_verbs/mlx5_0:1".
 * False: no memory.
 */
static bool find_reach(ucp_context_h context, const char *interface, struct reach *reach, bool *by_interface)
{
    char *text = NULL;
    size_t length;
    *reach = (struct reach){ .rdma = false, .tcp = false };
    *by_interface = false;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        return false;
    ucx.ucp_context_print_info(context, file);
    fclose(file);
    static const char *const rdma[] = { "rc_", "ud_", "dc_" };
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const char *name = strrchr(line, ' ');
        if (strstr(line, "resource") == NULL || name == NULL || strchr(name, '/') == NULL)
            continue;
        name++;
        if (strncmp(name, "tcp/", 4) == 0) {
            reach->tcp = true;
            *by_interface |= strcmp(name + 4, interface) == 0;
        }
        for (size_t i = 0; i < sizeof rdma / sizeof *rdma; i++)
            if (strncmp(name, rdma[i], strlen(rdma[i])) == 0)
                reach->rdma = true;
    }
    free(text);
    return true;
}

static bool is_shared_memory(const char *transport)
{
    static const char *const names[] = { "sm", "shm", "mm", "posix", "sysv", "xpmem", "cma", "knem" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(transport, names[i]) == 0)
            return true;
    return false;
}

enum { TLS_BYTES = 512 };

/* The value of UCX_TLS without shared memory. False: it is the same, too long, or has no way to another process then. */
static bool leave_out_shared_memory(char result[TLS_BYTES])
{
    char given[TLS_BYTES], *rest, *end = result;
    const char *setting = getenv("UCX_TLS");
    if (setting == NULL)
        setting = "all";
    if (strlen(setting) + sizeof ",sm" > TLS_BYTES)
        return false;
    strcpy(given, setting);
    if (strcmp(given, "all") == 0 || given[0] == '^') {
        strcat(strcpy(result, given[0] == '^' ? given : "^"), given[0] == '^' ? ",sm" : "sm");
        return true;
    }
    bool shares = false, reaches = false; /* "self" reaches the process itself alone */
    *result = 0;
    for (char *name = strtok_r(given, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        if (is_shared_memory(name)) {
            shares = true;
        } else {
            reaches |= strcmp(name, "self") != 0;
            end += sprintf(end, "%s%s", end == result ? "" : ",", name);
        }
    }
    return shares && reaches;
}

bool ucx_may_leave_out_shared_memory(void)
{
    char transports[TLS_BYTES];
    return leave_out_shared_memory(transports);
}

ucp_context_h ucx_create_context(enum ucx_transports transports, const char **what, ucs_status_t *why)
{
    ucp_config_t *config;
    *what = "UCX does not take its settings";
    *why = ucx.ucp_config_read(NULL, NULL, &config);
    if (*why != UCS_OK)
        return NULL;
    for (size_t i = 0; i < sizeof of_context / sizeof *of_context; i++)
        if (getenv(of_context[i].variable) == NULL)
            ucx.ucp_config_modify(config, of_context[i].name, of_context[i].value);
    char others[TLS_BYTES];
    if (transports == UCX_WITHOUT_SHARED_MEMORY && leave_out_shared_memory(others))
        ucx.ucp_config_modify(config, "TLS", others);
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .mt_workers_shared = 1, /* UCX has a thread of its own in the context */
        .name = "mx",
    };
    ucp_context_h context;
    *what = "UCX finds nothing to work with";
    *why = ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context);
    ucx.ucp_config_release(config);
    return *why == UCS_OK ? context : NULL;
}

enum transport_error ucx_check_interface(ucp_context_h context, const char *interface)
{
    struct reach reach;
    bool by_interface;
    if (!find_reach(context, interface, &reach, &by_interface))
        return TRANSPORT_NO_RESOURCES;
    return by_interface || reach.rdma ? TRANSPORT_OPEN : TRANSPORT_NO_INTERFACE;
}

static bool probe(void)
{
    const char *what;
    ucs_status_t why;
    ucp_context_h context = ucx_create_context(UCX_ALL, &what, &why);
    if (context == NULL)
        return fail(what, ucx.ucs_status_string(why));
    bool by_interface;
    bool found = find_reach(context, "", &ucx.reach, &by_interface);
    ucx.ucp_cleanup(context);
    return found || fail("UCX", "there is no memory");
}

static void find(void)
{
    static struct environment before; /* static: the array that was put in place may stay in use */
    environment_extend(&before, while_loading, sizeof while_loading / sizeof *while_loading);
    bool loaded = load();
    environment_restore(&before);
    if (loaded && probe())
        why_not[0] = 0;
}

bool transport_find(char *reason)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    snprintf(reason, TRANSPORT_REASON_BYTES, "%s", why_not);
    return why_not[0] == 0;
}

/* A child after fork has a copy of UCX's workers, but not UCX's thread. */
void transport_forget(void)
{
    if (ucx.transports > 0)
        fail("no UCX", "this process was forked from one that used it");
}

struct reach transport_reach(void)
{
    return ucx.reach;
}

const char *transport_name(void)
{
    return ucx.name;
}
