/* A process with endpoints forks. Children that call exec or _exit leave its endpoints alone. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static void run_child(bool with_exec)
{
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        if (with_exec)
            execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
        _exit(7);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void echo(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t peer = meet(channel, endpoint);
    for (int i = 0; i < 20; i++) {
        unsigned char *data = malloc(MB);
        CHECK(data != NULL);
        mx_status_t status = receive_message(endpoint, 1, MX_MATCH_MASK_NONE, data, MB);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        send_message(endpoint, peer, 1, data, status.msg_length);
        free(data);
    }
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

int main(void)
{
    need_mx();
    struct peer peer = start_peer(echo);
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t address = meet(peer.channel, endpoint);
    static unsigned char in[MB];
    for (unsigned int i = 0; i < 20; i++) {
        size_t length = i % 2 ? MB : 100;
        unsigned char *out = filled(length, i);
        mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, sizeof in);
        run_child(i % 4 < 2);
        mx_request_t send = start_send(endpoint, address, 1, out, length);
        run_child(i % 4 < 2);
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
        CHECK(is_filled(in, length, i));
        free(out);
    }
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    peer_finish(&peer);
    end(endpoint);
    return 0;
}
