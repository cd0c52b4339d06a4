/* Succeeds where MX can be used. Otherwise prints why not, and exits with 77, which skips a test. */
#include "mx_shim.h"

#include <stdio.h>

int main(void)
{
    char reason[MX_SHIM_REASON_BYTES];
    if (mx_shim_probe(reason) == 0)
        return 0;
    printf("MX can't be used here: %s\n", reason);
    return 77;
}
