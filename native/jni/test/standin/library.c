/* Library, device, node. */
#include "standin.h"

#include <stdlib.h>
#include <time.h>

const unsigned int SCI_FLAG_USE_CALLBACK = 0x01;

static unsigned initialised;

bool standin_answers(unsigned timeout)
{
    const char *setting = getenv("STANDIN_SLOW");
    unsigned long slow = setting != NULL ? strtoul(setting, NULL, 10) : 0;
    unsigned long millis = slow < timeout ? slow : timeout;
    if (millis > 0)
        nanosleep(&(struct timespec){.tv_sec = (time_t)(millis / 1000), .tv_nsec = (long)(millis % 1000 * 1000000)}, NULL);
    return slow <= timeout;
}

void SCIInitialize(unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIInitialize, error, flags, 0))
        return;
    if (initialised == 0 && standin_begin() != 0) {
        *error = SCI_ERR_SYSTEM; /* not recorded: there may be no folder */
        return;
    }
    initialised++;
    standin_finish("SCIInitialize", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIInitialize);

void SCITerminate(void)
{
    if (initialised == 0) {
        standin_violation("SCITerminate", "not initialised");
        return;
    }
    RECORD(SCITerminate, SCI_ERR_OK);
    if (--initialised == 0)
        standin_end();
}
BOTH_NAMES(SCITerminate);

void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIOpen, error, flags, 0))
        return;
    *sd = (sci_desc_t)standin_handle(DEVICE);
    standin_finish("SCIOpen", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIOpen);

void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIClose, error, flags, 0) || (it = standin_check("SCIClose", sd, DEVICE, error)) == NULL)
        return;
    it->ended = true;
    standin_finish("SCIClose", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIClose);

void SCIGetLocalNodeId(unsigned int adapter, unsigned int *node, unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIGetLocalNodeId, error, flags, 0))
        return;
    if (adapter != 0)
        standin_violation("SCIGetLocalNodeId", "adapter");
    *node = NODE;
    standin_finish("SCIGetLocalNodeId", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIGetLocalNodeId);

const char *SCIGetErrorString(sci_error_t error)
{
    switch (error) {
    case SCI_ERR_OK: return "no error";
    case SCI_ERR_BUSY: return "busy, says the stand-in";
    case SCI_ERR_NO_SUCH_SEGMENT: return "no such segment, says the stand-in";
    case SCI_ERR_NOT_CONNECTED: return "not connected, says the stand-in";
    default: return "failed, says the stand-in";
    }
}
BOTH_NAMES(SCIGetErrorString);
