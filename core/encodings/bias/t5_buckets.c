/* SPDX-License-Identifier: Apache-2.0
 * t5_buckets.c - T5's buckets: half of them for either direction, or all for the past. */
#include "core/encodings/bias/t5_buckets.h"

void t5_buckets_check(int64_t num_buckets, int64_t max_distance, bool bidirectional,
                      struct pe_errors *errors)
{
    int64_t exact = num_buckets / (bidirectional ? 4 : 2);

    if (bidirectional && (num_buckets % 2 != 0 || num_buckets < 4))
        pe_fail(errors, PE_CONFLICT, "num_buckets",
                "must be even and at least 4, half of them for either direction; got "
                "%lld",
                (long long)num_buckets);
    else if (max_distance <= exact)
        pe_fail(errors, PE_CONFLICT, "max_distance",
                "must be above %lld, the distances that have a bucket each; got %lld",
                (long long)exact, (long long)max_distance);
}

struct t5_buckets *t5_buckets_new(struct pe_build *build, int64_t num_buckets,
                                  int64_t max_distance, bool bidirectional)
{
    struct t5_buckets *buckets = pe_build_alloc(build, sizeof *buckets);
    int64_t count = bidirectional ? num_buckets / 2 : num_buckets;
    double *starts = pe_build_alloc(build, (size_t)count * sizeof *starts);

    if (!buckets || !starts)
        return NULL;
    buckets->bidirectional = bidirectional;
    bucket_init(&buckets->side, starts, count, max_distance);
    return buckets;
}

double t5_buckets_of(const void *context, double difference)
{
    const struct t5_buckets *buckets = context;

    if (difference >= 0)
        return bucket_of(&buckets->side, difference);
    if (!buckets->bidirectional)
        return 0;
    return (double)buckets->side.count + bucket_of(&buckets->side, -difference);
}
