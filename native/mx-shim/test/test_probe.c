/* The answer comes with its reason, in one terminated line. */
#include "mx_shim.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    char reason[MX_SHIM_REASON_BYTES];
    memset(reason, 'x', sizeof reason);
    if (mx_shim_probe(reason) != -1) {
        fprintf(stderr, "mx_shim_probe claims a path that is not built\n");
        return 1;
    }
    const char *end = memchr(reason, 0, sizeof reason);
    if (end == NULL || end == reason || memchr(reason, '\n', sizeof reason) != NULL) {
        fprintf(stderr, "mx_shim_probe gave no one-line reason\n");
        return 1;
    }
    return 0;
}
