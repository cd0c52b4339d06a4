#include "check.h"

#include <string.h>
#include <unistd.h>

static unsigned int node;

/* Unique as long as the system's process ids are below 65536. */
static unsigned int node_of(pid_t pid)
{
    return 1 + (unsigned int)pid % 65535;
}

unsigned int use_own_node(void)
{
    char text[16];
    node = node_of(getpid());
    snprintf(text, sizeof text, "%u", node);
    CHECK(setenv("SISCI_SHIM_NODE", text, 1) == 0);
    return node;
}

unsigned int nobodys_node(void)
{
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit(0);
    return node_of(pid);
}

sci_desc_t begin(void)
{
    sci_desc_t sd = NULL;
    OK(SCIInitialize(0, &error));
    OK(SCIOpen(&sd, 0, &error));
    return sd;
}

void end(sci_desc_t sd)
{
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
    CHECK(names_in_use() == 0);
}

int names_in_use(void)
{
    char line[512];
    FILE *file = fopen("/proc/net/unix", "re");
    CHECK(file != NULL);
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *name = strstr(line, "@sisci-shim/1/");
        unsigned int owner;
        count += name != NULL && sscanf(name, "@sisci-shim/1/%*3[a-z]/%u/", &owner) == 1 && owner == node;
    }
    fclose(file);
    return count;
}

int own_mappings(void)
{
    char line[512];
    FILE *file = fopen("/proc/self/maps", "re");
    CHECK(file != NULL);
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL)
        count += strstr(line, "/memfd:sisci-segment") != NULL;
    fclose(file);
    return count;
}

sci_local_segment_t export_segment(sci_desc_t sd, unsigned int id, size_t size, sci_cb_local_segment_t callback, void *arg)
{
    sci_local_segment_t segment = NULL;
    OK(SCICreateSegment(sd, &segment, id, size, callback, arg, callback != NULL ? SCI_FLAG_USE_CALLBACK : 0, &error));
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    return segment;
}
