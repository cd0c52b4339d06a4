/*
 * A process that is a member of a broadcast group, and obeys this one: for tests of what several processes see of each other.
 */
#ifndef SHIM_TEST_MEMBER_H
#define SHIM_TEST_MEMBER_H

#include "check.h"

enum { MEMBER_SIZE = 3 * PAGE };

/* The id of a group that no other running test has: the node's number, since this differs between tests. */
unsigned int own_group(void);

/* Socket names of this test's group that exist now, in all processes. */
int group_names(void);

/* Starts a member that has done nothing yet. To be called before the library is initialised. */
struct peer start_member(void);

/* The member's calls; each returns its error. What has gone well is mapped, and stays until it is dropped. */
sci_error_t member_create(const struct peer *peer, size_t size); /* SCICreateSegment, SCIPrepareSegment, SCIMapLocalSegment */
sci_error_t member_make_available(const struct peer *peer, bool available);
sci_error_t member_connect(const struct peer *peer, unsigned int timeout); /* SCIConnectSegment, SCIMapRemoteSegment */

/* Unmap and remove, or disconnect. */
void member_remove(const struct peer *peer);
void member_disconnect(const struct peer *peer);

/* A store through the remote map; a load through the local map, or the remote one if there is no local one. */
void member_store(const struct peer *peer, unsigned int word, unsigned int value);
unsigned int member_load(const struct peer *peer, unsigned int word);

/* The member ends in order, with what it still has. */
void member_finish(struct peer *peer);

#endif
