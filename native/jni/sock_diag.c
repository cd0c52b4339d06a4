/*
 * Asks the kernel about one TCP socket of this network namespace by sock_diag(7): one request and one answer. The answer
 * is in the netlink socket's queue as soon as the request has been sent, so no call here waits.
 */
#include "jfs_nativelib_Posix.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h> /* glibc's own tcp_info ends before the pacing rates */
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tuple.h"

struct request {
    struct nlmsghdr header;
    struct inet_diag_req_v2 body;
};

enum { SEQUENCE = 1 }; /* each request has a socket of its own */

/* What the kernel answers, in the order of Java's result. */
struct owner {
    uint32_t user;
    uint32_t inode;
    uint64_t pacing; /* bytes per second; UINT64_MAX: no limit; 0: this kernel does not tell */
};

static bool is_mapped(const unsigned char *end)
{
    return memcmp(end, mapped_prefix, sizeof mapped_prefix) == 0;
}

static uint32_t number_at(const unsigned char *bytes)
{
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return ntohl(number);
}

/* Writes an address in the kernel's form: IPv4 is in the first word, whatever the socket's own family is. */
static void put_address(const unsigned char *end, bool v4, __be32 out[4])
{
    memcpy(out, v4 ? end + sizeof mapped_prefix : end, v4 ? 4 : 16);
}

static void fill(struct request *it, const unsigned char *tuple)
{
    const unsigned char *remote = tuple + END_BYTES;
    bool v4 = is_mapped(tuple) && is_mapped(remote);
    memset(it, 0, sizeof *it);
    it->header.nlmsg_len = sizeof *it;
    it->header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    it->header.nlmsg_flags = NLM_F_REQUEST;
    it->header.nlmsg_seq = SEQUENCE;
    it->body.sdiag_family = v4 ? AF_INET : AF_INET6;
    it->body.sdiag_protocol = IPPROTO_TCP;
    it->body.idiag_ext = 1 << (INET_DIAG_INFO - 1);
    it->body.idiag_states = ~0u;
    it->body.id.idiag_sport = htons((uint16_t)number_at(tuple + END_PORT));
    it->body.id.idiag_dport = htons((uint16_t)number_at(remote + END_PORT));
    put_address(tuple, v4, it->body.id.idiag_src);
    put_address(remote, v4, it->body.id.idiag_dst);
    it->body.id.idiag_if = number_at(tuple + END_SCOPE);
    it->body.id.idiag_cookie[0] = it->body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
}

/* Whether an address of the answer is this end's. A socket of family AF_INET6 has IPv4 addresses in mapped form. */
static bool is_address(const __be32 *address, int family, const unsigned char *end)
{
    return family == AF_INET ? is_mapped(end) && memcmp(address, end + sizeof mapped_prefix, 4) == 0
                             : memcmp(address, end, 16) == 0;
}

/* Whether the answer is about this connection: the kernel may answer with a listener, or with a connection that has ended. */
static bool is_that_connection(const struct inet_diag_msg *found, const struct request *asked,
                               const unsigned char *tuple)
{
    return found->idiag_state == jfs_nativelib_Posix_TCP_ESTABLISHED && found->id.idiag_sport == asked->body.id.idiag_sport
           && found->id.idiag_dport == asked->body.id.idiag_dport
           && is_address(found->id.idiag_src, found->idiag_family, tuple)
           && is_address(found->id.idiag_dst, found->idiag_family, tuple + END_BYTES);
}

/* The pacing limit: it is in tcp_info, one of the attributes that follow the socket's description; 0 if it is not there. */
static uint64_t pacing_limit(const struct nlmsghdr *answer)
{
    const size_t header = sizeof(struct nlattr), place = header + offsetof(struct tcp_info, tcpi_max_pacing_rate);
    const char *at = (const char *)answer + NLMSG_SPACE(sizeof(struct inet_diag_msg));
    const char *end = (const char *)answer + answer->nlmsg_len;
    struct nlattr attribute;
    uint64_t limit = 0;
    while (end - at >= (ptrdiff_t)header) {
        memcpy(&attribute, at, sizeof attribute);
        if (attribute.nla_len < header || attribute.nla_len > end - at)
            break;
        if (attribute.nla_type == INET_DIAG_INFO && attribute.nla_len >= place + sizeof limit)
            memcpy(&limit, at + place, sizeof limit);
        at += NLA_ALIGN(attribute.nla_len);
    }
    return limit;
}

/* Returns 0 or -errno. */
static int ask(int netlink, const unsigned char *tuple, struct owner *owner)
{
    struct request request;
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK}, from;
    socklen_t from_length = sizeof from;
    union {
        struct nlmsghdr header;
        char bytes[4096];
    } answer;
    fill(&request, tuple);
    ssize_t n;
    do
        n = sendto(netlink, &request, sizeof request, MSG_NOSIGNAL, (struct sockaddr *)&kernel, sizeof kernel);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    n = recvfrom(netlink, &answer, sizeof answer, MSG_DONTWAIT, (struct sockaddr *)&from, &from_length);
    if (n < 0)
        return -errno;
    if (from_length != sizeof from || from.nl_pid != 0 || !NLMSG_OK(&answer.header, (size_t)n)
        || answer.header.nlmsg_seq != SEQUENCE)
        return -EPROTO;
    if (answer.header.nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *error = NLMSG_DATA(&answer.header);
        return answer.header.nlmsg_len < NLMSG_LENGTH(sizeof *error) || error->error >= 0 ? -EPROTO : error->error;
    }
    struct inet_diag_msg found;
    if (answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || answer.header.nlmsg_len < NLMSG_SPACE(sizeof found))
        return -EPROTO;
    memcpy(&found, NLMSG_DATA(&answer.header), sizeof found);
    if (!is_that_connection(&found, &request, tuple))
        return -ESRCH;
    *owner = (struct owner){found.idiag_uid, found.idiag_inode, pacing_limit(&answer.header)};
    return 0;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_tcpOwner(JNIEnv *env, jclass self, jbyteArray tuple, jlongArray out)
{
    (void)self;
    unsigned char bytes[2 * END_BYTES];
    struct owner owner;
    if ((*env)->GetArrayLength(env, tuple) != sizeof bytes || (*env)->GetArrayLength(env, out) < 3)
        return -EINVAL;
    (*env)->GetByteArrayRegion(env, tuple, 0, sizeof bytes, (jbyte *)bytes);
    int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0)
        return -errno;
    int status = ask(netlink, bytes, &owner);
    close(netlink);
    if (status == 0) {
        jlong told[3] = {owner.user, owner.inode, (jlong)owner.pacing};
        (*env)->SetLongArrayRegion(env, out, 0, 3, told);
    }
    return status;
}
