/*
 * A network interface that starts running after MX was initialised: endpoints can't be opened on it before, and work
 * afterwards.
 */
#include "check.h"

#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>

static void ip(const char *arguments)
{
    char command[128];
    snprintf(command, sizeof command, "ip %s", arguments);
    CHECK(system(command) == 0);
}

/*
 * Makes a network for this process alone, with two ends of a virtual cable, of which only ours is up. It ends with the process.
 * False: it can't be made.
 */
static bool plug_in_one_end(void)
{
    if (system("ip -V >/dev/null 2>&1") != 0 || unshare(CLONE_NEWNET | CLONE_NEWNS) != 0)
        return false;
    if (mount("", "/", "", MS_REC | MS_PRIVATE, NULL) != 0 || mount("sysfs", "/sys", "sysfs", 0, NULL) != 0)
        return false; /* /sys is where UCX looks for interfaces */
    if (system("ip link add ours type veth peer name theirs 2>/dev/null") != 0)
        return false;
    ip("address add 10.98.8.1/24 dev ours");
    ip("link set ours up");
    return true;
}

static void await_running(void)
{
    char state[8] = "";
    while (strcmp(state, "up\n") != 0) {
        FILE *file = fopen("/sys/class/net/ours/operstate", "r");
        CHECK(file != NULL && fgets(state, sizeof state, file) != NULL);
        fclose(file);
        poll(NULL, 0, 10);
    }
}

static void fail_to_open(void)
{
    mx_endpoint_t endpoint;
    EXPECT(MX_NIC_DEAD, mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, NULL, 0, &endpoint));
    EXPECT(MX_NIC_DEAD, mx_open_endpoint(0, 7, KEY, NULL, 0, &endpoint));
}

int main(void)
{
    setenv("UCX_TLS", "tcp,self", 1); /* for an RDMA device it is not known which interface it belongs to */
    unsetenv("UCX_NET_DEVICES");
    need_mx();
    if (!plug_in_one_end()) {
        puts("a network of its own needs root and ip (package iproute2)");
        return 77;
    }
    begin();
    uint64_t nic;
    OK(mx_board_number_to_nic_id(0, &nic));
    CHECK(nic == 0x0a620801);
    fail_to_open();
    ip("link set lo up");
    fail_to_open();

    ip("link set theirs up");
    await_running();
    static const char *const others[] = { "lo", "theirs", "nowhere" }; /* with the last one UCX has no TCP at all */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        setenv("UCX_NET_DEVICES", others[i], 1);
        fail_to_open();
    }
    unsetenv("UCX_NET_DEVICES");
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_t other;
    OK(mx_open_endpoint(0, 7, KEY, NULL, 0, &other)); /* the calls that failed have not taken this id */
    char said[] = "it works", heard[sizeof said] = "";
    mx_request_t receive = start_receive(other, 1, UINT64_MAX, heard, sizeof heard), connect;
    OK(mx_iconnect(endpoint, nic, 7, KEY, 1, NULL, &connect));
    mx_status_t status = await_both(endpoint, &connect, other);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    mx_request_t send = start_send(endpoint, status.source, 1, said, sizeof said);
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(endpoint, &send, other));
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(other, &receive, endpoint));
    CHECK(strcmp(said, heard) == 0);
    OK(mx_close_endpoint(other));
    end(endpoint);
    return 0;
}
