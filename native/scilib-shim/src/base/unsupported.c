/* The calls that need a card. They are there so that programs for a card can be linked, and run as without such a device. */
#include "base/errors.h"
#include "base/library.h"
#include "exports.h"

static void refuse(sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(SCI_ERR_NOT_SUPPORTED));
}

void SCIAttachPhysicalMemory(sci_ioaddr_t ioaddress, void *address, unsigned int busNo, size_t size,
                             sci_local_segment_t segment, unsigned int flags, sci_error_t *error)
{
    (void)ioaddress, (void)address, (void)busNo, (void)size, (void)segment, (void)flags;
    refuse(error);
}
SHIM_EXPORT(SCIAttachPhysicalMemory);

void SCIRegisterSegmentMemory(void *address, size_t size, sci_local_segment_t segment, unsigned int flags,
                              sci_error_t *error)
{
    (void)address, (void)size, (void)segment, (void)flags;
    refuse(error);
}
SHIM_EXPORT(SCIRegisterSegmentMemory);

void SCIRegisterPCIeRequester(sci_desc_t sd, unsigned int localAdapterNo, unsigned int bus, unsigned int devfn,
                              unsigned int flags, sci_error_t *error)
{
    (void)sd, (void)localAdapterNo, (void)bus, (void)devfn, (void)flags;
    refuse(error);
}
SHIM_EXPORT(SCIRegisterPCIeRequester);

void SCIUnregisterPCIeRequester(sci_desc_t sd, unsigned int localAdapterNo, unsigned int bus, unsigned int devfn,
                                unsigned int flags, sci_error_t *error)
{
    (void)sd, (void)localAdapterNo, (void)bus, (void)devfn, (void)flags;
    refuse(error);
}
SHIM_EXPORT(SCIUnregisterPCIeRequester);

void SCIBorrowDevice(sci_desc_t sd, sci_smartio_device_t *device, unsigned long long fdid, unsigned int flags,
                     sci_error_t *error)
{
    (void)sd, (void)device, (void)fdid, (void)flags;
    refuse(error);
}
SHIM_EXPORT(SCIBorrowDevice);

void SCIReturnDevice(sci_smartio_device_t device, unsigned int flags, sci_error_t *error)
{
    (void)device, (void)flags;
    refuse(error);
}
SHIM_EXPORT(SCIReturnDevice);
