/* Which settings of UCX_TLS leave a transport to other processes when shared memory is left out. */
#include <stddef.h>
#include <stdlib.h>

#include "check.h"
#include "link/ucx.h"

int main(void)
{
    static const struct {
        const char *setting; /* NULL: none */
        bool may;
    } cases[] = {
        { NULL, true },           { "all", true },       { "^cma", true },  { "tcp,sm", true },
        { "sm,tcp,self", true },  { "posix,rc", true },  { "tcp", false },  { "tcp,self", false },
        { "sm", false },          { "sm,self", false },  { "self", false }, { "self,posix,cma", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].setting != NULL)
            setenv("UCX_TLS", cases[i].setting, 1);
        else
            unsetenv("UCX_TLS");
        if (ucx_may_leave_out_shared_memory() != cases[i].may) {
            fprintf(stderr, "UCX_TLS=%s\n", cases[i].setting != NULL ? cases[i].setting : "(none)");
            CHECK(false);
        }
    }
    return 0;
}
