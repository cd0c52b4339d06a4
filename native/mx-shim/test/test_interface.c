/* The library as a whole: layouts, versions, error handlers, texts, boards and names. */
#include "check.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The layouts that programs were compiled with. */
_Static_assert(sizeof(mx_status_t) == 48 && offsetof(mx_status_t, source) == 8 && offsetof(mx_status_t, match_info) == 24 &&
                   offsetof(mx_status_t, msg_length) == 32 && offsetof(mx_status_t, context) == 40,
               "mx_status_t");
_Static_assert(sizeof(mx_segment_t) == 2 * sizeof(void *) && sizeof(mx_endpoint_addr_t) == 16, "mx_segment_t");
_Static_assert(sizeof(mx_param_t) == 2 * sizeof(void *) && offsetof(mx_param_t, val) == sizeof(void *), "mx_param_t");

static int told;
static mx_return_t told_code;

static mx_return_t tell_and_return(char *text, mx_return_t code)
{
    CHECK(text != NULL && text[0] != '\0' && strchr(text, '\n') == NULL);
    told++;
    told_code = code;
    return MX_BAD_BAD_BAD; /* becomes the call's result */
}

static void without_init(void)
{
    mx_endpoint_t endpoint;
    uint64_t nic;
    uint32_t number;
    char name[MX_MAX_HOSTNAME_LEN], localhost[] = "localhost";
    EXPECT(MX_NOT_INITIALIZED, mx_finalize());
    EXPECT(MX_NOT_INITIALIZED, mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, NULL, 0, &endpoint));
    EXPECT(MX_NOT_INITIALIZED, mx_board_number_to_nic_id(0, &nic));
    EXPECT(MX_NOT_INITIALIZED, mx_nic_id_to_board_number(1, &number));
    EXPECT(MX_NOT_INITIALIZED, mx_hostname_to_nic_id(localhost, &nic));
    EXPECT(MX_NOT_INITIALIZED, mx_nic_id_to_hostname(1, name));
    EXPECT(MX_NOT_INITIALIZED, mx_get_info(NULL, MX_NIC_COUNT, NULL, 0, &number, sizeof number));
    EXPECT(MX_BAD_LIB_VERSION, mx__init_api(0x200));
    EXPECT(MX_BAD_LIB_VERSION, mx__init_api(0x400));
}

static void init_and_finalize(void)
{
    for (int i = 0; i < 3; i++) {
        OK(mx__init_api(i == 0 ? 0x300 : MX_API)); /* the older version of the same upper byte too */
        mx_set_error_handler(tell_and_return);
        told = 0;
        EXPECT(MX_ALREADY_INITIALIZED, mx_init());
        CHECK(told == 0);
        mx_set_error_handler(MX_ERRORS_RETURN);
        mx_endpoint_t endpoint = open_any();
        EXPECT(MX_BUSY, mx_finalize());
        OK(mx_close_endpoint(endpoint));
        OK(mx_finalize());
    }
}

static void error_handlers(void)
{
    mx_endpoint_t global, own, late;
    mx_param_t param = { .key = MX_PARAM_ERROR_HANDLER, .val = { .error_handler = tell_and_return } };
    uint32_t result;
    mx_status_t status;
    uint64_t nic;

    global = open_any();
    OK(mx_open_endpoint(MX_ANY_NIC, MX_ANY_ENDPOINT, KEY, &param, 1, &own));
    told = 0;
    EXPECT(MX_BAD_MATCH_MASK, mx_iprobe(global, 1, 0, &status, &result));
    CHECK(told == 0);
    EXPECT(MX_BAD_BAD_BAD, mx_iprobe(own, 1, 0, &status, &result));
    CHECK(told == 1 && told_code == MX_BAD_MATCH_MASK);

    CHECK(mx_set_error_handler(tell_and_return) == MX_ERRORS_RETURN);
    EXPECT(MX_BAD_MATCH_MASK, mx_iprobe(global, 1, 0, &status, &result)); /* keeps the handler that it was opened with */
    EXPECT(MX_BAD_BAD_BAD, mx_board_number_to_nic_id(UINT32_MAX - 1, &nic));
    CHECK(told == 2 && told_code == MX_BOARD_UNKNOWN);
    late = open_any();
    EXPECT(MX_BAD_BAD_BAD, mx_iprobe(late, 1, 0, &status, &result));
    CHECK(told == 3);
    CHECK(mx_set_error_handler(MX_ERRORS_RETURN) == tell_and_return);
    OK(mx_close_endpoint(late));
    OK(mx_close_endpoint(own));
    OK(mx_close_endpoint(global));
}

/* Without a handler an error ends the process, with a line about it on stderr. */
static void fatal_errors(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        signal(SIGABRT, SIG_DFL);
        CHECK(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
        uint64_t nic;
        mx_board_number_to_nic_id(0, &nic); /* without mx_init */
        _exit(0);
    }
    close(ends[1]);
    char line[256];
    ssize_t length = read(ends[0], line, sizeof line - 1);
    CHECK(length > 0);
    line[length] = '\0';
    CHECK(strstr(line, mx_strerror(MX_NOT_INITIALIZED)) != NULL);
    close(ends[0]);
    int outcome;
    CHECK(waitpid(pid, &outcome, 0) == pid);
    CHECK(WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGABRT);
}

static void texts(void)
{
    for (int i = 0; i <= MX_NOT_SUPPORTED_WITH_CONTEXT_ID; i++) {
        const char *text = mx_strerror((mx_return_t)i);
        CHECK(text != NULL && text[0] != '\0');
        for (int j = 0; j < i; j++)
            CHECK(strcmp(text, mx_strerror((mx_return_t)j)) != 0);
    }
    for (int i = 0; i <= MX_STATUS_NO_RESOURCES; i++) {
        const char *text = mx_strstatus((mx_status_code_t)i);
        CHECK(text != NULL && text[0] != '\0');
        for (int j = 0; j < i; j++)
            CHECK(strcmp(text, mx_strstatus((mx_status_code_t)j)) != 0);
    }
    CHECK(mx_strerror((mx_return_t)99) != NULL && mx_strstatus((mx_status_code_t)99) != NULL);
}

static void boards(void)
{
    uint32_t count = 0, number = 99, board = 0;
    OK(mx_get_info(NULL, MX_NIC_COUNT, NULL, 0, &count, sizeof count));
    CHECK(count >= 1);
    uint64_t *ids = calloc(count + 1, sizeof *ids), nic = 0;
    CHECK(ids != NULL);
    ids[count] = 1;
    OK(mx_get_info(NULL, MX_NIC_IDS, NULL, 0, ids, (uint32_t)((count + 1) * sizeof *ids)));
    CHECK(ids[count] == 0);
    for (uint32_t i = 0; i < count; i++) {
        char name[MX_MAX_HOSTNAME_LEN];
        OK(mx_board_number_to_nic_id(i, &nic));
        CHECK(nic == ids[i] && nic != 0);
        OK(mx_nic_id_to_board_number(nic, &number));
        CHECK(number == i);
        memset(name, 'x', sizeof name);
        OK(mx_nic_id_to_hostname(nic, name));
        CHECK(memchr(name, '\0', sizeof name) != NULL && name[0] != '\0');
        OK(mx_hostname_to_nic_id(name, &nic));
        CHECK(nic == ids[i]);
    }
    EXPECT(MX_BOARD_UNKNOWN, mx_board_number_to_nic_id(count, &nic));
    EXPECT(MX_NIC_NOT_FOUND, mx_nic_id_to_board_number(UINT64_MAX - 1, &number));
    char unknown[] = "no-such-host.invalid", localhost[] = "localhost", loopback[] = "127.0.0.1";
    EXPECT(MX_HOST_NOT_FOUND, mx_hostname_to_nic_id(unknown, &nic));
    EXPECT(MX_BAD_HOSTNAME_ARGS, mx_hostname_to_nic_id(NULL, &nic));
    EXPECT(MX_BAD_HOSTNAME_ARGS, mx_hostname_to_nic_id(localhost, NULL));
    uint64_t other;
    OK(mx_hostname_to_nic_id(localhost, &nic));
    OK(mx_hostname_to_nic_id(loopback, &other));
    CHECK(nic == other);

    EXPECT(MX_BAD_INFO_LENGTH, mx_get_info(NULL, MX_NIC_COUNT, NULL, 0, &count, 1));
    EXPECT(MX_BAD_INFO_LENGTH, mx_get_info(NULL, MX_NIC_IDS, NULL, 0, ids, (uint32_t)(count * sizeof *ids) - 1));
    EXPECT(MX_BAD_INFO_VAL, mx_get_info(NULL, MX_NIC_COUNT, NULL, 0, NULL, 4));
    EXPECT(MX_BAD_INFO_VAL, mx_get_info(NULL, MX_PORT_COUNT, &board, 1, &number, sizeof number));
    EXPECT(MX_BAD_INFO_KEY, mx_get_info(NULL, (mx_get_info_key_t)99, NULL, 0, &number, sizeof number));
    EXPECT(MX_BOARD_UNKNOWN, mx_get_info(NULL, MX_PORT_COUNT, &count, sizeof count, &number, sizeof number));
    free(ids);
}

static void infos(void)
{
    static const mx_get_info_key_t numbers[] = { MX_MAX_NATIVE_ENDPOINTS, MX_NATIVE_REQUESTS, MX_COUNTERS_COUNT,
        MX_PORT_COUNT, MX_PIO_SEND_MAX, MX_COPY_SEND_MAX, MX_NUMA_NODE, MX_NET_TYPE, MX_LINE_SPEED };
    static const mx_get_info_key_t names[] = { MX_PRODUCT_CODE, MX_PART_NUMBER, MX_SERIAL_NUMBER };
    mx_endpoint_t endpoint = open_any();
    uint32_t board = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint32_t first = 1, second = 2;
        OK(mx_get_info(NULL, numbers[i], NULL, 0, &first, sizeof first));
        OK(mx_get_info(endpoint, numbers[i], &board, sizeof board, &second, sizeof second));
        CHECK(first == second);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[MX_MAX_STR_LEN];
        memset(text, 'x', sizeof text);
        OK(mx_get_info(NULL, names[i], &board, sizeof board, text, sizeof text));
        CHECK(memchr(text, '\0', sizeof text) != NULL);
    }
    char product[MX_MAX_STR_LEN];
    OK(mx_get_info(NULL, MX_PRODUCT_CODE, NULL, 0, product, sizeof product));
    CHECK(strncmp(product, "UCX", 3) == 0);
    uint32_t eager = 0, tiny = 0;
    OK(mx_get_info(NULL, MX_COPY_SEND_MAX, NULL, 0, &eager, sizeof eager));
    OK(mx_get_info(NULL, MX_PIO_SEND_MAX, NULL, 0, &tiny, sizeof tiny));
    CHECK(tiny == 128 && tiny <= eager);
    OK(mx_close_endpoint(endpoint));
}

static void no_endpoint(void)
{
    mx_request_t request = NULL;
    mx_status_t status;
    mx_endpoint_addr_t address = { { 0 } };
    uint32_t result;
    EXPECT(MX_BAD_ENDPOINT, mx_close_endpoint(NULL));
    EXPECT(MX_BAD_ENDPOINT, mx_wakeup(NULL));
    EXPECT(MX_BAD_ENDPOINT, mx_progress(NULL));
    EXPECT(MX_BAD_ENDPOINT, mx_disable_progression(NULL));
    EXPECT(MX_BAD_ENDPOINT, mx_reenable_progression(NULL));
    EXPECT(MX_BAD_ENDPOINT, mx_get_endpoint_addr(NULL, &address));
    EXPECT(MX_BAD_ENDPOINT, mx_connect(NULL, 1, 1, 1, 1, &address));
    EXPECT(MX_BAD_ENDPOINT, mx_iconnect(NULL, 1, 1, 1, 1, NULL, &request));
    EXPECT(MX_BAD_ENDPOINT, mx_disconnect(NULL, address));
    EXPECT(MX_BAD_ENDPOINT, mx_isend(NULL, NULL, 0, address, 1, NULL, &request));
    EXPECT(MX_BAD_ENDPOINT, mx_issend(NULL, NULL, 0, address, 1, NULL, &request));
    EXPECT(MX_BAD_ENDPOINT, mx_irecv(NULL, NULL, 0, 1, 1, NULL, &request));
    EXPECT(MX_BAD_ENDPOINT, mx_ipeek(NULL, &request, &result));
    EXPECT(MX_BAD_ENDPOINT, mx_peek(NULL, 1, &request, &result));
    EXPECT(MX_BAD_ENDPOINT, mx_test_any(NULL, 0, 0, &status, &result));
    EXPECT(MX_BAD_ENDPOINT, mx_wait_any(NULL, 1, 0, 0, &status, &result));
    EXPECT(MX_BAD_ENDPOINT, mx_iprobe(NULL, 0, 0, &status, &result));
    EXPECT(MX_BAD_ENDPOINT, mx_probe(NULL, 1, 0, 0, &status, &result));
    EXPECT(MX_BAD_ENDPOINT, mx_register_unexp_handler(NULL, NULL, NULL));
    EXPECT(MX_BAD_ENDPOINT, mx_set_request_timeout(NULL, NULL, 1));
    CHECK(mx_shim_descriptor(NULL) == -1);

    mx_endpoint_t endpoint = open_any();
    void *context;
    EXPECT(MX_BAD_REQUEST, mx_test(endpoint, &request, &status, &result));
    EXPECT(MX_BAD_REQUEST, mx_wait(endpoint, &request, 1, &status, &result));
    EXPECT(MX_BAD_REQUEST, mx_cancel(endpoint, &request, &result));
    EXPECT(MX_BAD_REQUEST, mx_ibuffered(endpoint, &request, &result));
    EXPECT(MX_BAD_REQUEST, mx_forget(endpoint, &request));
    EXPECT(MX_BAD_REQUEST, mx_context(&request, &context));
    OK(mx_close_endpoint(endpoint));
}

int main(void)
{
    need_mx();
    fatal_errors();
    CHECK(mx_set_error_handler(MX_ERRORS_RETURN) == MX_ERRORS_ARE_FATAL);
    without_init();
    texts();
    init_and_finalize();
    OK(mx_init());
    error_handlers();
    boards();
    infos();
    no_endpoint();
    OK(mx_finalize());
    without_init();
    return 0;
}
