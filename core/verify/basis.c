/* SPDX-License-Identifier: Apache-2.0
 * basis.c - projects the tensor's eigenvectors on those of the claim, eigenvalue by
 * eigenvalue. */
#include "core/verify/basis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger graphs are not looked at: they would take 67 MB. */
enum { NODES_MOST = 2048 };

/* float32's eigenvectors are right to some units of 2^-24 over the gaps of the spectrum. */
static const double degenerate = 1e-7;

/* Both sets of vectors as columns, and the eigenvalues. */
struct spectrum {
    struct row_buffer memory, expected, found, values;
    size_t nodes;
    size_t count; /* of the tensor */
    double tolerance;
    size_t known; /* of the claim, which may know more: an eigenvalue may be cut in two */
};

/* Fills an output of the claim with changes: one row of `values`, or `nodes` rows of
 * vectors. */
static bool read_output(struct claim *claim, const struct changes *changes, size_t output,
                        uint64_t rows, uint64_t cols, struct row_buffer out)
{
    const struct planned planned =
        claim_planned(claim, claim->enc, changes, UINT32_C(1) << output, PE_F64);
    struct pe_plan *plan = planned.plan;
    bool ok =
        plan && pe_plan_tensor(plan, 0)->cols == cols && pe_plan_tensor(plan, 0)->rows == rows;

    ok = ok && angles_fill(plan, pe_plan_tensor(plan, 0), 0, rows, claim->input, out);
    pe_plan_free(plan);
    pe_args_free(planned.args);
    return ok;
}

/* Reads the claim's spectrum: as many vectors as it can be asked for. */
static bool read_spectrum(struct spectrum *spectrum, struct claim *claim, size_t vectors,
                          size_t values)
{
    const struct pe_param *most = pe_param_find(claim->enc, "max_freqs", 9);

    for (size_t known = spectrum->nodes; most && known > spectrum->count; known--) {
        struct changes more = {.at[0] = {.param = most}, .count = 1};

        snprintf(more.at[0].text, CHANGE_TEXT, "%zu", known);
        spectrum->known = known;
        if (read_output(claim, &more, values, 1, known, spectrum->values) &&
            read_output(claim, &more, vectors, spectrum->nodes, known, spectrum->expected))
            return true;
        if (known + 2 < spectrum->nodes)
            break; /* padding is no eigenvector */
    }
    spectrum->known = spectrum->count;
    return read_output(claim, NULL, values, 1, spectrum->count, spectrum->values) &&
           read_output(claim, NULL, vectors, spectrum->nodes, spectrum->count,
                       spectrum->expected);
}

static bool spectrum_init(struct spectrum *spectrum, const struct candidate *candidate)
{
    struct claim *claim = candidate->claim;
    const size_t output = args_find_output(claim->enc, "eigenvalues");
    size_t most;

    if (claim->enc->family != PE_GRAPH || output == SIZE_MAX || claim->subject_count != 1 ||
        strcmp(candidate->tensor[0]->output->name, "vectors") != 0)
        return false;
    spectrum->nodes = candidate_rows(candidate, 0);
    spectrum->tolerance = candidate->view[0].precision == PE_BF16  ? 2e-2
                          : candidate->view[0].precision == PE_F16 ? 2e-3
                                                                   : 2e-5;
    spectrum->count = candidate_cols(candidate, 0);
    most = spectrum->nodes > spectrum->count ? spectrum->nodes : spectrum->count;
    if (most > NODES_MOST)
        return false;
    const size_t all = spectrum->nodes * most;
    spectrum->memory = row_buffer_new(2 * all + most, &claim->failed);
    if (!spectrum->memory.at)
        return false;
    spectrum->expected = row_buffer_part(spectrum->memory, 0, all);
    spectrum->found = row_buffer_part(spectrum->memory, all, all);
    spectrum->values = row_buffer_part(spectrum->memory, 2 * all, most);
    for (size_t i = 0; i < spectrum->nodes; i++)
        view_row(&candidate->view[0], i,
                 row_buffer_part(spectrum->found, i * spectrum->count, spectrum->count));
    if (read_spectrum(spectrum, claim, claim->subject[0].output, output))
        return true;
    free(spectrum->memory.at);
    return false;
}

/* Returns the product of a column of the claim or the tensor and one of either. */
static double dot(const struct spectrum *spectrum, const double *a, size_t i, const double *b,
                  size_t j)
{
    const size_t a_cols = a == spectrum->expected.at ? spectrum->known : spectrum->count;
    const size_t b_cols = b == spectrum->expected.at ? spectrum->known : spectrum->count;
    double sum = 0;

    for (size_t node = 0; node < spectrum->nodes; node++)
        sum += a[node * a_cols + i] * b[node * b_cols + j];
    return sum;
}

/* Returns whether column `col` of the tensor lies in the span of columns first..last, with the
 * length that the claim's has. */
static bool is_spanned(const struct spectrum *spectrum, size_t col, size_t first, size_t last)
{
    const double length = dot(spectrum, spectrum->expected.at, col, spectrum->expected.at, col);
    const double found = dot(spectrum, spectrum->found.at, col, spectrum->found.at, col);
    double rest = found;

    for (size_t i = first; i <= last; i++) {
        double own = dot(spectrum, spectrum->expected.at, i, spectrum->expected.at, i);
        double part = dot(spectrum, spectrum->expected.at, i, spectrum->found.at, col);

        rest -= own > 0 ? part * part / own : 0;
    }
    return fabs(found - length) <= spectrum->tolerance * (length + 1e-30) &&
           rest <= spectrum->tolerance * spectrum->tolerance * 100 * (length + 1e-30);
}

/* Returns whether the tensor's columns of one eigenvalue are at right angles. */
static bool are_orthogonal(const struct spectrum *spectrum, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++) {
        for (size_t j = i + 1; j <= last; j++) {
            double length = sqrt(dot(spectrum, spectrum->found.at, i, spectrum->found.at, i) *
                                 dot(spectrum, spectrum->found.at, j, spectrum->found.at, j));

            if (!(fabs(dot(spectrum, spectrum->found.at, i, spectrum->found.at, j)) <=
                  spectrum->tolerance * length))
                return false;
        }
    }
    return true;
}

bool basis_explains(const struct candidate *candidate, bool *bases)
{
    const struct pe_stop *stop = candidate->claim->limits->stop;
    struct spectrum spectrum;
    bool right = true;

    *bases = false;
    if (!spectrum_init(&spectrum, candidate))
        return false;
    for (size_t first = 0, last; right && first < spectrum.count; first = last + 1) {
        for (last = first; last + 1 < spectrum.known &&
                           fabs(spectrum.values.at[last + 1] - spectrum.values.at[first]) <=
                               degenerate * (1 + fabs(spectrum.values.at[first]));)
            last++;
        const size_t sent = last < spectrum.count ? last : spectrum.count - 1;
        *bases = *bases || last > first;
        for (size_t col = first; right && col <= sent; col++)
            right = !pe_stop_is_set(stop) && is_spanned(&spectrum, col, first, last);
        right = right && are_orthogonal(&spectrum, first, sent);
    }
    free(spectrum.memory.at);
    return right;
}
