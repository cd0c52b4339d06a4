/* The node of this process, and which numbers of nodes and adapters are valid. Callers hold the library's lock. */
#ifndef SHIM_NODE_H
#define SHIM_NODE_H

#include "sisci_api.h"

/* SCI_ERR_OK, or the error of a call that has been given this number. */
sci_error_t check_adapter(unsigned int adapter);
sci_error_t check_node(unsigned int node);

/* Makes this process a member of the node that the environment names. Other processes see it until node_leave. */
sci_error_t node_join(void);
void node_leave(void);

#endif
