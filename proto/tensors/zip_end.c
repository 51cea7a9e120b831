/* SPDX-License-Identifier: Apache-2.0
 * zip_end.c - see zip_end.h. */
#include "proto/tensors/zip_end.h"

#include "proto/tensors/zip_number.h"

/* Returns whether a number of the end record is the value, or leaves it to the zip64 end. */
static bool has(const struct zip_end *end, const unsigned char *field, size_t len,
                uint64_t value)
{
    const uint64_t number = zip_number_read(field, len);

    return number == value || (end->zip64 && number == (UINT64_C(1) << (8 * len)) - 1);
}

bool zip_end_zip64_is(const struct zip_end *end, const unsigned char *record)
{
    return zip_number_read(record + 4, 8) == ZIP_END_ZIP64 - 12 &&
           zip_number_read(record + 16, 8) == 0 && /* two numbers of disks */
           zip_number_read(record + 24, 8) == end->members &&
           zip_number_read(record + 32, 8) == end->members &&
           zip_number_read(record + 40, 8) == end->size &&
           zip_number_read(record + 48, 8) == end->begins;
}

bool zip_end_locator_is(const struct zip_end *end, const unsigned char *locator)
{
    return end->zip64 && zip_number_read(locator + 4, 4) == 0 &&
           zip_number_read(locator + 8, 8) == end->zip64_begins &&
           zip_number_read(locator + 16, 4) == 1;
}

bool zip_end_record_is(const struct zip_end *end, const unsigned char *record)
{
    return has(end, record + 4, 2, 0) && has(end, record + 6, 2, 0) &&
           has(end, record + 8, 2, end->members) && has(end, record + 10, 2, end->members) &&
           has(end, record + 12, 4, end->size) && has(end, record + 16, 4, end->begins);
}

bool zip_end_lacks_zip64(const struct zip_end *end, const unsigned char *record)
{
    struct zip_end other = *end;

    other.zip64 = true;
    return !end->zip64 && !zip_end_record_is(end, record) && zip_end_record_is(&other, record);
}

bool zip_end_is_located(const unsigned char *before)
{
    return zip_number_read(before, 4) == 0x07064b50; /* PK\6\7 */
}

bool zip_end_is_hidden(struct zip_end *end, const unsigned char *bytes, size_t len)
{
    const uint32_t signature = 0x504b0506; /* PK\5\6 */

    for (size_t i = 0; i < len; i++) {
        end->last = end->last << 8 | bytes[i];
        if (end->last == signature)
            return true;
    }
    return false;
}
