/* A name under which programs look for what mx_io.h declares. */
#include "../mx_io.h"
