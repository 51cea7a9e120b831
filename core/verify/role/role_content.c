/* SPDX-License-Identifier: Apache-2.0
 * role_content.c - see role_content.h. The real and the imaginary part of a rotation have
 * squares that add up to the square of its length, whatever was done wrong to its angle. */
#include "core/verify/role/role_content.h"

#include <math.h>

enum { PLACES = 1024 };          /* so many numbers are enough to know a circle by */
enum { ROW_MOST = 4096 };        /* columns of a row of position 0 */
enum { BLOCK = 64 };             /* numbers that are converted at once */
static const double even = 0.15; /* the sums of squares may differ so far: fp8 has 3 bits */
static const double very_negative = -99;

/* The numbers of one of two parts: part `part` of `parts` along an axis. */
struct part {
    const struct pe_verify_tensor *tensor;
    uint64_t count, inner, length,
        start;      /* elements; behind the axis; of the part; its first */
    uint64_t whole; /* elements of the whole axis */
};

static uint64_t count_of(const struct pe_verify_tensor *tensor)
{
    uint64_t count = 1;

    for (size_t i = 0; i < tensor->info.rank; i++)
        count *= tensor->info.dims[i];
    return count;
}

static double element(const struct pe_verify_tensor *tensor, uint64_t i)
{
    const size_t size = pe_dtype_size(tensor->info.dtype);
    double number;

    pe_dtype_to_f64(tensor->info.dtype, &number, (const unsigned char *)tensor->data + i * size,
                    1);
    return number;
}

static bool has_reals(const struct pe_verify_tensor *tensor)
{
    return tensor->data && tensor->info.dtype <= PE_BF16 && count_of(tensor) > 0;
}

/* ---- halves of a tensor ------------------------------------------------------------------ */

/* Returns half number `half` of the tensor along an axis. */
static struct part half_of(const struct pe_verify_tensor *tensor, size_t axis, unsigned half)
{
    const uint64_t length = tensor->info.dims[axis] / 2;
    struct part part = {.tensor = tensor,
                        .count = count_of(tensor) / 2,
                        .inner = 1,
                        .length = length,
                        .whole = tensor->info.dims[axis],
                        .start = half * length};

    for (size_t i = axis + 1; i < tensor->info.rank; i++)
        part.inner *= tensor->info.dims[i];
    return part;
}

/* Returns every second number of the tensor, from the first or the second on. */
static struct part turn_of(const struct pe_verify_tensor *tensor, unsigned half)
{
    return (struct part){.tensor = tensor,
                         .count = count_of(tensor) / 2,
                         .inner = 1,
                         .length = 1,
                         .whole = 2,
                         .start = half};
}

static struct part whole_of(const struct pe_verify_tensor *tensor)
{
    const uint64_t count = count_of(tensor);

    return (struct part){.tensor = tensor,
                         .count = count,
                         .inner = 1,
                         .length = count,
                         .whole = count};
}

static double read(const struct part *part, uint64_t i)
{
    const uint64_t block = part->length * part->inner;

    return element(part->tensor,
                   (i / block * part->whole + part->start) * part->inner + i % block);
}

/* Returns number `i` of the places that are read, of so many elements: steps of the golden
 * section, since equal steps through a table of 1024 rows meet the same column in each. */
static uint64_t place(uint64_t count, uint64_t i)
{
    const double golden = 0.61803398874989485;

    return count <= PLACES ? i : (uint64_t)(fmod((double)i * golden, 1) * (double)count);
}

static uint64_t places_of(uint64_t count)
{
    return count < PLACES ? count : PLACES;
}

/* Returns whether the squares of two parts add up to one number, and the parts differ. */
static bool is_circle(const struct part *a, const struct part *b)
{
    const uint64_t places = places_of(a->count);
    double least = INFINITY, most = 0, apart = 0;

    for (uint64_t i = 0; i < places; i++) {
        const uint64_t at = place(a->count, i);
        const double x = read(a, at), y = read(b, at), sum = x * x + y * y;

        least = fmin(least, sum);
        most = fmax(most, sum);
        apart = fmax(apart, fabs(x - y));
        if (!isfinite(sum) || most - least > 2 * even * most)
            return false;
    }
    return most > 0 && apart > even * sqrt(most);
}

/* Returns whether the first part is sines: the larger numbers are cosines, since in the first
 * rows most columns have hardly turned. */
static bool is_first_sine(const struct part *a, const struct part *b)
{
    const uint64_t places = places_of(a->count);
    double first = 0, second = 0;

    for (uint64_t i = 0; i < places; i++) {
        first += read(a, i);
        second += read(b, i);
    }
    return second - first > even * (double)places;
}

/* ---- forms ------------------------------------------------------------------------------- */

static const struct {
    enum pe_verify_form cos_first, sin_first;
    int axis;     /* from the end where it is negative */
    bool exactly; /* the axis is of 2 */
    size_t rank;  /* of the tensor, at least */
} forms[] = {
    {PE_FORM_PARTS, PE_FORM_PARTS, -1, true, 2}, /* of two parts cosines are the first */
    {PE_FORM_PAIR, PE_FORM_PAIR, -2, true, 3},
    {PE_FORM_STACK, PE_FORM_STACK, 0, true, 3},
    {PE_FORM_SIDE, PE_FORM_SIDE_SIN, -1, false, 2},
    {PE_FORM_ABOVE, PE_FORM_ABOVE_SIN, 0, false, 2},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* Returns whether a tensor of this shape may have form number `i`, and its axis of parts. */
static bool may_have(const struct pe_verify_tensor *tensor, size_t i, size_t *axis)
{
    const size_t rank = tensor->info.rank;

    if (rank < forms[i].rank)
        return false;
    *axis = forms[i].axis < 0 ? (size_t)((int)rank + forms[i].axis) : (size_t)forms[i].axis;
    const uint64_t dim = tensor->info.dims[*axis];
    return forms[i].exactly ? dim == 2 : dim > 2 && dim % 2 == 0;
}

/* Returns whether cosines and sines stand by turns in the rows, of which there are several.
 * With sines first, or where either may be, the rows are those of a sinusoidal table. */
static bool is_woven(const struct pe_verify_tensor *tensor)
{
    const size_t rank = tensor->info.rank;

    if (!has_reals(tensor) || rank < 2 || tensor->info.dims[rank - 1] % 2 != 0 ||
        count_of(tensor) == tensor->info.dims[rank - 1])
        return false;
    const struct part a = turn_of(tensor, 0), b = turn_of(tensor, 1);
    return is_circle(&a, &b) && is_first_sine(&b, &a);
}

enum pe_verify_form role_content_form(const struct pe_verify_tensor *tensor)
{
    size_t axis;

    for (size_t i = 0; i < FORMS && has_reals(tensor); i++) {
        if (!may_have(tensor, i, &axis))
            continue;
        const struct part a = half_of(tensor, axis, 0), b = half_of(tensor, axis, 1);
        if (is_circle(&a, &b))
            return is_first_sine(&a, &b) ? forms[i].sin_first : forms[i].cos_first;
    }
    return is_woven(tensor) ? PE_FORM_WOVEN : PE_FORM_WHOLE;
}

enum pe_verify_form role_content_shape(const struct pe_verify_tensor *tensor)
{
    size_t axis;

    for (size_t i = 0; i < FORMS; i++)
        if (may_have(tensor, i, &axis))
            return forms[i].cos_first;
    return PE_FORM_WHOLE;
}

bool role_content_pair(const struct pe_verify_tensor *first,
                       const struct pe_verify_tensor *second, bool *sine_first)
{
    if (!has_reals(first) || !has_reals(second) || count_of(first) != count_of(second))
        return false;
    const struct part a = whole_of(first), b = whole_of(second);
    *sine_first = is_first_sine(&a, &b);
    return is_circle(&a, &b);
}

/* ---- one tensor -------------------------------------------------------------------------- */

bool role_content_is_sine(const struct pe_verify_tensor *tensor)
{
    const struct part part = whole_of(tensor);
    const uint64_t places = has_reals(tensor) ? places_of(part.count) : 0;
    double squares = 0;

    for (uint64_t i = 0; i < places; i++) {
        const double number = read(&part, i);

        squares += number * number;
    }
    return squares < 0.5 * (double)places;
}

/* Converts the numbers from number `at` on, at most a block; returns how many. */
static size_t read_block(const struct pe_verify_tensor *tensor, uint64_t at, uint64_t count,
                         double numbers[BLOCK])
{
    const size_t some = count - at < BLOCK ? (size_t)(count - at) : BLOCK;
    const size_t size = pe_dtype_size(tensor->info.dtype);

    pe_dtype_to_f64(tensor->info.dtype, numbers,
                    (const unsigned char *)tensor->data + at * size, some);
    return some;
}

bool role_content_is_truth(const struct pe_verify_tensor *tensor)
{
    const uint64_t count = count_of(tensor);
    double numbers[BLOCK];

    if (tensor->info.dtype == PE_BOOL8 || !tensor->data)
        return tensor->info.dtype == PE_BOOL8;
    for (uint64_t at = 0; at < count; at += BLOCK)
        for (size_t some = read_block(tensor, at, count, numbers); some-- > 0;)
            if (numbers[some] != 0 && numbers[some] != 1)
                return false;
    return true;
}

double role_content_hidden(const struct pe_verify_tensor *tensor)
{
    const uint64_t count = has_reals(tensor) ? count_of(tensor) : 0;
    double numbers[BLOCK], least = 0;

    for (uint64_t at = 0; at < count; at += BLOCK)
        for (size_t some = read_block(tensor, at, count, numbers); some-- > 0;)
            least = numbers[some] < least ? numbers[some] : least; /* NaN is not below */
    return least <= very_negative ? least : 0;
}

double role_content_later(const struct pe_verify_tensor *tensor)
{
    const size_t rank = tensor->info.rank;

    if (!has_reals(tensor) || rank < 2)
        return 0;
    const uint64_t keys = tensor->info.dims[rank - 1], queries = tensor->info.dims[rank - 2];
    if (queries < 2 || keys < queries)
        return 0;
    const double hidden = element(tensor, keys - 1);
    for (uint64_t query = 0; query < queries && hidden <= very_negative; query++)
        for (uint64_t key = 0; key < keys; key++)
            if ((element(tensor, query * keys + key) == hidden) !=
                (key > query + keys - queries))
                return 0;
    return hidden <= very_negative ? hidden : 0;
}

bool role_content_is_other(const struct pe_verify_tensor *tensors, size_t count,
                           const struct pe_verify_role *roles)
{
    for (size_t i = 0; i < count; i++)
        if (roles[i].output && roles[i].output->natural <= PE_BF16 &&
            tensors[i].info.dtype > PE_BF16 && !tensors[i].text &&
            count_of(&tensors[i]) <= ROW_MOST && role_content_is_truth(&tensors[i]))
            return true;
    return false;
}
