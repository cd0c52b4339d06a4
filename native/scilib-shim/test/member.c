#include "member.h"

#include <string.h>

/* An order is one message: what to do, and two numbers. */
enum what { CREATE = 1, AVAILABLE, CONNECT, REMOVE, DISCONNECT, STORE, LOAD, FINISH };

static uint64_t order(enum what what, unsigned int word, unsigned int value)
{
    return (uint64_t)what << 56 | (uint64_t)(word & 0xffffff) << 32 | value;
}

static unsigned int group;

unsigned int own_group(void)
{
    if (group == 0)
        group = use_own_node();
    return group;
}

int group_names(void)
{
    char line[512], prefix[64];
    snprintf(prefix, sizeof prefix, "@sisci-shim/1/group/%d/%x/", DIS_BROADCAST_NODEID_GROUP_ALL, group);
    FILE *file = fopen("/proc/net/unix", "re");
    CHECK(file != NULL);
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL)
        count += strstr(line, prefix) != NULL && strstr(line, " 01 ") != NULL; /* listening, not an accepted socket */
    fclose(file);
    return count;
}

static sci_desc_t sd;
static sci_local_segment_t local;
static sci_remote_segment_t remote;
static sci_map_t local_map, remote_map;
static volatile unsigned int *readable, *writable;

static sci_error_t create(size_t size)
{
    sci_error_t status;
    SCICreateSegment(sd, &local, group, size, NULL, NULL, SCI_FLAG_BROADCAST, &status);
    if (status != SCI_ERR_OK)
        return status;
    OK(SCIPrepareSegment(local, ADAPTER, SCI_FLAG_BROADCAST, &error));
    OK(readable = SCIMapLocalSegment(local, &local_map, 0, size, NULL, 0, &error));
    return SCI_ERR_OK;
}

static sci_error_t make_available(bool available)
{
    sci_error_t status;
    if (available)
        SCISetSegmentAvailable(local, ADAPTER, 0, &status);
    else
        SCISetSegmentUnavailable(local, ADAPTER, 0, &status);
    return status;
}

static sci_error_t join(unsigned int timeout)
{
    sci_error_t status;
    SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, group, ADAPTER, NULL, NULL, timeout, SCI_FLAG_BROADCAST,
                      &status);
    if (status == SCI_ERR_OK)
        OK(writable = SCIMapRemoteSegment(remote, &remote_map, 0, MEMBER_SIZE, NULL, SCI_FLAG_BROADCAST, &error));
    return status;
}

static unsigned int load(unsigned int word)
{
    return readable != NULL ? readable[word] : writable[word];
}

static void obey(int channel)
{
    sd = begin();
    for (;;) {
        uint64_t message = listen_to(channel);
        unsigned int word = (unsigned int)(message >> 32) & 0xffffff, value = (unsigned int)message;
        uint64_t answer = 0;
        switch ((enum what)(message >> 56)) {
        case CREATE:    answer = create(value); break;
        case AVAILABLE: answer = make_available(value != 0); break;
        case CONNECT:   answer = join(value); break;
        case STORE:     writable[word] = value; break;
        case LOAD:      answer = load(word); break;
        case REMOVE:
            readable = NULL;
            OK(SCIUnmapSegment(local_map, 0, &error));
            OK(SCIRemoveSegment(local, 0, &error));
            break;
        case DISCONNECT:
            writable = NULL;
            OK(SCIUnmapSegment(remote_map, 0, &error));
            OK(SCIDisconnectSegment(remote, 0, &error));
            break;
        case FINISH:
            SCITerminate();
            return;
        }
        tell(channel, answer);
    }
}

struct peer start_member(void)
{
    own_group();
    return start_peer(obey);
}

static unsigned int command(const struct peer *peer, uint64_t message)
{
    tell(peer->channel, message);
    return (unsigned int)listen_to(peer->channel);
}

sci_error_t member_create(const struct peer *peer, size_t size)
{
    return (sci_error_t)command(peer, order(CREATE, 0, (unsigned int)size));
}

sci_error_t member_make_available(const struct peer *peer, bool available)
{
    return (sci_error_t)command(peer, order(AVAILABLE, 0, available));
}

sci_error_t member_connect(const struct peer *peer, unsigned int timeout)
{
    return (sci_error_t)command(peer, order(CONNECT, 0, timeout));
}

void member_remove(const struct peer *peer)
{
    command(peer, order(REMOVE, 0, 0));
}

void member_disconnect(const struct peer *peer)
{
    command(peer, order(DISCONNECT, 0, 0));
}

void member_store(const struct peer *peer, unsigned int word, unsigned int value)
{
    command(peer, order(STORE, word, value));
}

unsigned int member_load(const struct peer *peer, unsigned int word)
{
    return command(peer, order(LOAD, word, 0));
}

void member_finish(struct peer *peer)
{
    tell(peer->channel, order(FINISH, 0, 0));
    peer_finish(peer);
}
