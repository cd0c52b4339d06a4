/* Numbers, ids and names of boards. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/errors.h"
#include "api/library.h"
#include "core/board.h"

EXPORTED mx_return_t mx_board_number_to_nic_id(uint32_t board_number, uint64_t *nic_id)
{
    struct board board;
    mx_return_t refused = library_check();
    if (refused == MX_SUCCESS && !board_find(board_number == MX_ANY_NIC ? 0 : board_number, &board))
        refused = MX_BOARD_UNKNOWN;
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    *nic_id = board.nic;
    return MX_SUCCESS;
}

/* The number of the board with this id; -1: no board of this host has it. */
static int number_of(uint64_t nic)
{
    struct board *boards;
    int count = boards_list(&boards);
    int number = -1;
    for (int i = 0; i < count && number < 0; i++)
        if (boards[i].nic == nic)
            number = i;
    if (count >= 0)
        free(boards);
    return number;
}

EXPORTED mx_return_t mx_nic_id_to_board_number(uint64_t nic_id, uint32_t *board_number)
{
    mx_return_t refused = library_check();
    int number = refused == MX_SUCCESS ? number_of(nic_id) : -1;
    if (refused == MX_SUCCESS && number < 0)
        refused = MX_NIC_NOT_FOUND;
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    *board_number = (uint32_t)number;
    return MX_SUCCESS;
}

static bool is_own_name(const char *name)
{
    char own[MX_MAX_HOSTNAME_LEN] = "";
    gethostname(own, sizeof own - 1);
    return strcmp(name, own) == 0;
}

/* Of the addresses that the resolver has for the name, the one with that number. */
static bool resolve(const char *name, uint32_t number, uint64_t *nic)
{
    const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    struct addrinfo *list;
    if (getaddrinfo(name, NULL, &hints, &list) != 0)
        return false;
    const struct addrinfo *found = list;
    while (found != NULL && number-- > 0)
        found = found->ai_next;
    if (found != NULL)
        *nic = ntohl(((const struct sockaddr_in *)(const void *)found->ai_addr)->sin_addr.s_addr);
    freeaddrinfo(list);
    return found != NULL;
}

static mx_return_t look_up(const char *hostname, uint64_t *nic)
{
    char name[MX_MAX_HOSTNAME_LEN];
    if (hostname == NULL || nic == NULL)
        return MX_BAD_HOSTNAME_ARGS;
    if ((size_t)snprintf(name, sizeof name, "%s", hostname) >= sizeof name)
        return MX_HOST_NOT_FOUND;
    char *colon = strrchr(name, ':'), *end = colon;
    unsigned long number = 0;
    if (colon != NULL) {
        number = strtoul(colon + 1, &end, 10);
        if (end == colon + 1 || *end != 0 || number >= MX_ANY_NIC)
            return MX_HOST_NOT_FOUND;
        *colon = 0;
    }
    /* The resolver may give the host's own name an address that no other host reaches, such as 127.0.1.1. */
    struct board board;
    if (is_own_name(name) && board_find((uint32_t)number, &board)) {
        *nic = board.nic;
        return MX_SUCCESS;
    }
    return resolve(name, (uint32_t)number, nic) ? MX_SUCCESS : MX_HOST_NOT_FOUND;
}

EXPORTED mx_return_t mx_hostname_to_nic_id(char *hostname, uint64_t *nic_id)
{
    mx_return_t result = library_check();
    if (result == MX_SUCCESS)
        result = look_up(hostname, nic_id);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

static mx_return_t name_of(uint64_t nic, char *hostname)
{
    if (hostname == NULL)
        return MX_BAD_HOSTNAME_ARGS;
    if (!board_is_id(nic))
        return MX_NIC_NOT_FOUND;
    int number = number_of(nic);
    char name[MX_MAX_HOSTNAME_LEN - sizeof ":4294967295" + 1] = "";
    if (number >= 0 && gethostname(name, sizeof name - 1) == 0) {
        snprintf(hostname, MX_MAX_HOSTNAME_LEN, "%s:%d", name, number);
        return MX_SUCCESS;
    }
    const struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl((uint32_t)nic) };
    char resolved[NI_MAXHOST];
    if (getnameinfo((const struct sockaddr *)&address, sizeof address, resolved, sizeof resolved, NULL, 0, 0) != 0
        || strlen(resolved) >= MX_MAX_HOSTNAME_LEN)
        inet_ntop(AF_INET, &address.sin_addr, resolved, sizeof resolved);
    memcpy(hostname, resolved, strlen(resolved) + 1);
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_nic_id_to_hostname(uint64_t nic_id, char *hostname)
{
    mx_return_t result = library_check();
    if (result == MX_SUCCESS)
        result = name_of(nic_id, hostname);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}
