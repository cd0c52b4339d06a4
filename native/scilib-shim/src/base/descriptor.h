/* Virtual devices: what SCIOpen gives and SCIClose takes. The library's lock guards them. */
#ifndef SHIM_DESCRIPTOR_H
#define SHIM_DESCRIPTOR_H

#include "base/handles.h"

struct descriptor {
    struct object object;
    unsigned int children; /* segments and interrupts made through it */
};

#endif
