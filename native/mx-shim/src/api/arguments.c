#include "api/arguments.h"

mx_return_t arguments_check_mask(const endpoint *ep, uint64_t match_info, uint64_t match_mask)
{
    if ((match_info & ~match_mask) != 0)
        return MX_BAD_MATCH_MASK;
    return (ep->context_mask & ~match_mask) != 0 ? MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK : MX_SUCCESS;
}

mx_return_t arguments_check_segments(const mx_segment_t *list, uint32_t count)
{
    if (count > MX_MAX_SEGMENTS)
        return MX_BAD_SEG_CNT;
    if (count > 0 && list == NULL)
        return MX_BAD_SEG_LIST;
    uint64_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].segment_length > 0 && list[i].segment_ptr == NULL)
            return MX_BAD_SEG_MEM;
        length += list[i].segment_length;
    }
    return length > UINT32_MAX ? MX_BAD_SEG_CNT : MX_SUCCESS;
}
