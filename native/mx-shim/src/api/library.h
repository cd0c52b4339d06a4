/* The library as a whole: whether it is initialised, and what a fork does to it. */
#ifndef SHIM_API_LIBRARY_H
#define SHIM_API_LIBRARY_H

#include "myriexpress.h"

/* MX_NOT_INITIALIZED, or MX_SUCCESS. Any thread may call it. */
mx_return_t library_check(void);

#endif
