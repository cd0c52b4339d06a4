/*
 * Other users are refused in both directions unless they are allowed; the overflow user is always refused. Triggers of
 * refused users are ignored, but they can't hide one of an allowed user. Needs root to change the user.
 */
#include <unistd.h>

#include "check.h"

enum { STRANGER = 12345, NOBODY = 65534, SEGMENT = 1, THEIR_SEGMENT = 2, QUEUE = 11 };

static unsigned int node;

/* What the parent asks the stranger to do, and answers. */
enum order { CONNECT, ALLOW_ROOT, TRIGGER, FILL_QUEUE, CONNECT_QUEUES, TRIGGER_QUEUES, QUIT };

/* Numbers of the interrupts that carry data, count or are shared: here as they are, at the stranger plus its user id. */
enum { COUNTED = 5, SHARED = 6, DATA = 7 };

static sci_remote_interrupt_t counted, shared;
static sci_remote_data_interrupt_t data;

static sci_error_t connect_queues(sci_desc_t sd, unsigned int base)
{
    sci_error_t first, second, third;
    SCIConnectInterrupt(sd, &counted, node, ADAPTER, base + COUNTED, 0, 0, &first);
    SCIConnectInterrupt(sd, &shared, node, ADAPTER, base + SHARED, 0, 0, &second);
    SCIConnectDataInterrupt(sd, &data, node, ADAPTER, base + DATA, 0, 0, &third);
    CHECK(first == second && second == third);
    return first;
}

static void disconnect_queues(void)
{
    OK(SCIDisconnectInterrupt(counted, 0, &error));
    OK(SCIDisconnectInterrupt(shared, 0, &error));
    OK(SCIDisconnectDataInterrupt(data, 0, &error));
}

static void trigger_queues(void)
{
    sci_error_t error; /* this process may have noticed already that the owner has dropped it */
    SCITriggerInterrupt(counted, 0, &error);
    CHECK(error == SCI_ERR_OK || error == SCI_ERR_NOT_CONNECTED);
    SCITriggerInterrupt(shared, 0, &error);
    CHECK(error == SCI_ERR_OK || error == SCI_ERR_NOT_CONNECTED);
    SCITriggerDataInterrupt(data, "x", 1, 0, &error);
    CHECK(error == SCI_ERR_OK || error == SCI_ERR_NOT_CONNECTED);
}

static struct {
    sci_local_interrupt_t counted;
    sci_local_interrupt_t shared;
    sci_local_data_interrupt_t data;
} queues;

static void make_queues(sci_desc_t sd, unsigned int base)
{
    unsigned int number = base + COUNTED;
    OK(SCICreateInterrupt(sd, &queues.counted, ADAPTER, &number, NULL, NULL,
                          SCI_FLAG_FIXED_INTNO | SCI_FLAG_COUNTING_INT, &error));
    number = base + SHARED;
    OK(SCICreateInterrupt(sd, &queues.shared, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO | SCI_FLAG_SHARED_INT,
                          &error));
    number = base + DATA;
    OK(SCICreateDataInterrupt(sd, &queues.data, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
}

static void remove_queues(void)
{
    OK(SCIRemoveInterrupt(queues.counted, 0, &error));
    OK(SCIRemoveInterrupt(queues.shared, 0, &error));
    OK(SCIRemoveDataInterrupt(queues.data, 0, &error));
}

static void hear_queues(sci_error_t expected)
{
    char byte;
    unsigned int length = sizeof byte;
    EXPECT(expected, SCIWaitForInterrupt(queues.counted, 0, 0, &error));
    EXPECT(expected, SCIWaitForInterrupt(queues.shared, 0, 0, &error));
    EXPECT(expected, SCIWaitForDataInterrupt(queues.data, &byte, &length, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(queues.counted, 0, 0, &error));
}

static sci_error_t create_group(sci_desc_t sd, uid_t uid, sci_local_segment_t *segment)
{
    sci_error_t outcome;
    SCICreateSegment(sd, segment, node << 16 | uid, PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &outcome);
    return outcome;
}

static void stranger(int channel, uid_t uid)
{
    CHECK(setresuid(uid, uid, uid) == 0);
    sci_desc_t sd = begin();
    sci_local_segment_t own = export_segment(sd, THEIR_SEGMENT + uid, PAGE, NULL, NULL);
    sci_local_segment_t group;
    CHECK(create_group(sd, uid, &group) == SCI_ERR_OK);
    OK(SCIPrepareSegment(group, ADAPTER, 0, &error));
    OK(SCISetSegmentAvailable(group, ADAPTER, 0, &error));
    make_queues(sd, uid);
    sci_remote_interrupt_t out = NULL;
    unsigned int number = (unsigned int)listen_to(channel);
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    tell(channel, 0);
    for (;;) {
        sci_remote_segment_t remote;
        sci_error_t error = SCI_ERR_OK;
        switch ((enum order)listen_to(channel)) {
        case CONNECT:
            SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error);
            if (error == SCI_ERR_OK)
                OK(SCIDisconnectSegment(remote, 0, &error));
            break;
        case ALLOW_ROOT:
            SCIShimAllowUsers(&(uid_t){ 0 }, 1);
            break;
        case TRIGGER:
            SCITriggerInterrupt(out, 0, &error);
            break;
        case FILL_QUEUE:
            for (int i = 0; i < 2 * QUEUE; i++)
                SCITriggerInterrupt(out, 0, &error);
            break;
        case CONNECT_QUEUES:
            error = connect_queues(sd, 0);
            break;
        case TRIGGER_QUEUES:
            trigger_queues();
            disconnect_queues();
            break;
        case QUIT:
            remove_queues();
            OK(SCIDisconnectInterrupt(out, 0, &error));
            OK(SCIRemoveSegment(own, SCI_FLAG_FORCE_REMOVE, &error));
            OK(SCIRemoveSegment(group, 0, &error));
            OK(SCIClose(sd, 0, &error));
            SCITerminate();
            return;
        }
        tell(channel, error);
    }
}

static void as_stranger(int channel)
{
    stranger(channel, STRANGER);
}

static void as_nobody(int channel)
{
    stranger(channel, NOBODY);
}

static sci_error_t ask(const struct peer *peer, enum order order)
{
    tell(peer->channel, order);
    return (sci_error_t)listen_to(peer->channel);
}

static sci_error_t connect_to_theirs(sci_desc_t sd, uid_t uid)
{
    sci_error_t outcome;
    sci_remote_segment_t remote;
    SCIConnectSegment(sd, &remote, node, THEIR_SEGMENT + uid, ADAPTER, NULL, NULL, WHILE, 0, &outcome);
    if (outcome == SCI_ERR_OK)
        OK(SCIDisconnectSegment(remote, 0, &error));
    return outcome;
}

/* The stranger's broadcast group: a user that isn't trusted gets no memory of it, and makes no second one. */
static sci_error_t join_theirs(sci_desc_t sd)
{
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    sci_error_t created = create_group(sd, STRANGER, &segment), connected;
    SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, node << 16 | STRANGER, ADAPTER, NULL, NULL, WHILE,
                      SCI_FLAG_BROADCAST, &connected);
    CHECK((created == SCI_ERR_SEGMENTID_USED && connected == SCI_ERR_CONNECTION_REFUSED) ||
          (created == SCI_ERR_OK && connected == SCI_ERR_OK));
    if (created == SCI_ERR_OK)
        OK(SCIRemoveSegment(segment, 0, &error));
    if (connected == SCI_ERR_OK)
        OK(SCIDisconnectSegment(remote, 0, &error));
    return connected;
}

int main(void)
{
    if (geteuid() != 0) {
        puts("only root can become other users");
        return SKIPPED;
    }
    node = use_own_node();
    struct peer other = start_peer(as_stranger), nobody = start_peer(as_nobody);
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, SEGMENT, PAGE, NULL, NULL);
    make_queues(sd, 0);
    unsigned int number = 0;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t self;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCIConnectInterrupt(sd, &self, node, ADAPTER, number, 0, 0, &error));
    tell(other.channel, number);
    tell(nobody.channel, number);
    listen_to(other.channel);
    listen_to(nobody.channel);

    /* No user is allowed: the connector sends nothing to a segment of another user ... */
    CHECK(ask(&other, CONNECT) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(connect_to_theirs(sd, STRANGER) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(join_theirs(sd) == SCI_ERR_CONNECTION_REFUSED);
    /* ... a member of a broadcast group does not trust it ... */
    SCIShimAllowUsers(&(uid_t){ STRANGER }, 1);
    CHECK(join_theirs(sd) == SCI_ERR_CONNECTION_REFUSED);
    SCIShimAllowUsers(NULL, 0);
    /* ... and if it trusts the exporter, the exporter does not trust it. */
    ask(&other, ALLOW_ROOT);
    ask(&nobody, ALLOW_ROOT);
    CHECK(ask(&other, CONNECT) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(connect_to_theirs(sd, STRANGER) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(join_theirs(sd) == SCI_ERR_CONNECTION_REFUSED);

    /* A trigger of another user is ignored. */
    ask(&other, TRIGGER);
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));
    ask(&other, TRIGGER);
    OK(SCITriggerInterrupt(self, 0, &error));
    OK(SCIWaitForInterrupt(in, 0, 0, &error));
    /* A queue full of them may have kept out an allowed user's trigger, which must not be missed. */
    ask(&other, FILL_QUEUE);
    OK(SCITriggerInterrupt(self, 0, &error));
    OK(SCIWaitForInterrupt(in, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));

    /* Interrupts with connections: refused if the remote does not trust the owner, dropped if the owner does not trust it. */
    CHECK(ask(&other, CONNECT_QUEUES) == SCI_ERR_OK); /* the stranger trusts root */
    ask(&other, TRIGGER_QUEUES);
    hear_queues(SCI_ERR_TIMEOUT);
    CHECK(connect_queues(sd, STRANGER) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(connect_queues(sd, NOBODY) == SCI_ERR_CONNECTION_REFUSED);

    SCIShimAllowUsers((uid_t[]){ NOBODY, STRANGER }, 2);
    CHECK(ask(&other, CONNECT_QUEUES) == SCI_ERR_OK);
    ask(&other, TRIGGER_QUEUES);
    hear_queues(SCI_ERR_OK);
    CHECK(connect_queues(sd, STRANGER) == SCI_ERR_OK);
    disconnect_queues();
    CHECK(connect_queues(sd, NOBODY) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(ask(&nobody, CONNECT_QUEUES) == SCI_ERR_OK);
    ask(&nobody, TRIGGER_QUEUES);
    hear_queues(SCI_ERR_TIMEOUT);

    CHECK(ask(&other, CONNECT) == SCI_ERR_OK);
    CHECK(connect_to_theirs(sd, STRANGER) == SCI_ERR_OK);
    CHECK(join_theirs(sd) == SCI_ERR_OK);
    ask(&other, TRIGGER);
    OK(SCIWaitForInterrupt(in, 0, 0, &error));
    /* The overflow user is no particular user, so no list can allow it. */
    CHECK(ask(&nobody, CONNECT) == SCI_ERR_CONNECTION_REFUSED);
    CHECK(connect_to_theirs(sd, NOBODY) == SCI_ERR_CONNECTION_REFUSED);
    ask(&nobody, TRIGGER);
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));

    SCIShimAllowUsers(NULL, 0);
    CHECK(ask(&other, CONNECT) == SCI_ERR_CONNECTION_REFUSED);
    remove_queues();

    tell(other.channel, QUIT);
    tell(nobody.channel, QUIT);
    peer_finish(&other);
    peer_finish(&nobody);
    OK(SCIDisconnectInterrupt(self, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    end(sd);
    return 0;
}
