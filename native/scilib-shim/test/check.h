/* What the tests share, beside processes.h. Each test program is a node of its own, so that they can run at the same time. */
#ifndef SHIM_TEST_CHECK_H
#define SHIM_TEST_CHECK_H

#include "processes.h"

#include "sisci_api.h"
#include "sisci_shim.h"

enum { ADAPTER = 0, PAGE = 4096 };

/* Runs a statement that writes to error, and checks the outcome. */
#define EXPECT(expected, statement)                                                                        \
    do {                                                                                                   \
        sci_error_t error = (sci_error_t)-1;                                                               \
        statement;                                                                                         \
        if (error != (expected)) {                                                                         \
            fprintf(stderr, "%s:%d: %s: expected %s, got %#x: %s\n", __FILE__, __LINE__, #statement,       \
                    #expected, (unsigned int)error, SCIGetErrorString(error));                             \
            exit(1);                                                                                       \
        }                                                                                                  \
    } while (0)
#define OK(statement) EXPECT(SCI_ERR_OK, statement)

/* Makes the environment name a node that no other running test has, and returns its id. */
unsigned int use_own_node(void);

/* A node without a process: its number belongs to a child that has ended, and that isn't waited for before this process ends. */
unsigned int nobodys_node(void);

/* Initialises the library and opens a device. */
sci_desc_t begin(void);

/* Closes both, and checks that no name of this program's node is left. */
void end(sci_desc_t sd);

/* The number of socket names of this program's node that exist now, in all processes. */
int names_in_use(void);

/* The number of this process's mappings of segments. */
int own_mappings(void);

/* Makes a segment that is prepared and available. */
sci_local_segment_t export_segment(sci_desc_t sd, unsigned int id, size_t size, sci_cb_local_segment_t callback, void *arg);

#endif
