/* What the tests share, beside processes.h. Each test program is a node of its own, so that they can run side by side. */
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

/* A node that nobody is: a process that has ended, but isn't waited for until this one ends, has its number. */
unsigned int nobodys_node(void);

/* Initialises the library and opens a device. */
sci_desc_t begin(void);

/* Closes both and checks that no name of our node is left. */
void end(sci_desc_t sd);

/* Socket names of our node that exist now, in all processes. */
int names_in_use(void);

/* Ranges of this process in which segments are mapped. */
int own_mappings(void);

/* A segment that is prepared and available. */
sci_local_segment_t offer(sci_desc_t sd, unsigned int id, size_t size, sci_cb_local_segment_t callback, void *arg);

#endif
