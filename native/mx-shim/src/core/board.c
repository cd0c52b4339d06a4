#include "core/board.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MX_SHIM_ADDRESS: the address of the only board to have. 0: it is not set. False: it is no address. */
static bool only_address(uint32_t *only)
{
    struct in_addr address = { 0 };
    const char *setting = getenv("MX_SHIM_ADDRESS");
    bool good = setting == NULL || inet_pton(AF_INET, setting, &address) == 1;
    *only = ntohl(address.s_addr);
    return good;
}

/*
 * MX_SHIM_PORT: the port of endpoint 0. False: it is no number, or there are not enough ports for all endpoints from there on.
 */
static bool first_port(uint16_t *port)
{
    const char *setting = getenv("MX_SHIM_PORT");
    *port = BOARD_PORT;
    if (setting == NULL)
        return true;
    char *end;
    unsigned long number = strtoul(setting, &end, 10);
    if (*setting < '0' || *setting > '9' || *end != 0 || number == 0 || number > BOARD_PORT_MAX)
        return false;
    *port = (uint16_t)number;
    return true;
}

bool boards_check(char *reason, size_t size)
{
    uint32_t only;
    uint16_t port;
    struct board *boards;
    if (!only_address(&only)) {
        snprintf(reason, size, "MX_SHIM_ADDRESS is %.64s: an IPv4 address is allowed", getenv("MX_SHIM_ADDRESS"));
        return false;
    }
    if (!first_port(&port)) {
        snprintf(reason, size, "MX_SHIM_PORT is %.64s: 1 to %d is allowed", getenv("MX_SHIM_PORT"), BOARD_PORT_MAX);
        return false;
    }
    int count = boards_list(&boards);
    if (count >= 0)
        free(boards);
    if (count > 0)
        return true;
    if (count < 0)
        snprintf(reason, size, "the list of network interfaces: %s", strerror(errno));
    else if (only != 0)
        snprintf(reason, size, "no network interface that is up has the address of MX_SHIM_ADDRESS, %.64s",
                 getenv("MX_SHIM_ADDRESS"));
    else
        snprintf(reason, size, "no network interface that is up has an IPv4 address");
    return false;
}

static bool is_way(const struct ifaddrs *way)
{
    return way->ifa_addr != NULL && way->ifa_addr->sa_family == AF_INET && (way->ifa_flags & IFF_UP) != 0;
}

static uint32_t address_of(const struct ifaddrs *way)
{
    return ntohl(((const struct sockaddr_in *)(const void *)way->ifa_addr)->sin_addr.s_addr);
}

/* Adds the loopback interfaces if loopback is true, else the others. An interface's first address is its board. */
static size_t add(struct board *boards, size_t count, const struct ifaddrs *ways, bool loopback, uint32_t only)
{
    for (const struct ifaddrs *way = ways; way != NULL; way = way->ifa_next) {
        if (!is_way(way) || ((way->ifa_flags & IFF_LOOPBACK) != 0) != loopback || (only != 0 && address_of(way) != only))
            continue;
        bool known = false;
        for (size_t i = 0; i < count; i++)
            known = known || strcmp(boards[i].interface, way->ifa_name) == 0;
        if (known)
            continue;
        boards[count].nic = address_of(way);
        snprintf(boards[count].interface, sizeof boards[count].interface, "%s", way->ifa_name);
        boards[count].running = (way->ifa_flags & IFF_RUNNING) != 0;
        count++;
    }
    return count;
}

int boards_list(struct board **result)
{
    struct ifaddrs *ways;
    if (getifaddrs(&ways) != 0)
        return -1;
    size_t most = 1;
    for (const struct ifaddrs *way = ways; way != NULL; way = way->ifa_next)
        most++;
    struct board *boards = calloc(most, sizeof *boards);
    size_t count = 0;
    if (boards != NULL) {
        uint32_t only;
        only_address(&only);
        count = add(boards, count, ways, false, only);
        count = add(boards, count, ways, true, only);
    }
    freeifaddrs(ways);
    *result = boards;
    return boards == NULL ? -1 : (int)count;
}

bool board_find(uint32_t number, struct board *board)
{
    struct board *boards;
    int count = boards_list(&boards);
    if (count < 0)
        return false;
    bool found = number < (uint32_t)count;
    if (found)
        *board = boards[number];
    free(boards);
    return found;
}

uint16_t board_port(uint32_t eid)
{
    uint16_t first;
    first_port(&first);
    return (uint16_t)(first + eid);
}
