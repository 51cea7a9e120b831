/* SPDX-License-Identifier: Apache-2.0
 * hf_width.c - see hf_width.h. What partial_rotary_factor is of is a fact of the class: the
 * head, or of latent attention the part that rotates. */
#include "proto/models/hf/hf_width.h"

#include <math.h>

static void refuse(struct hf_reader *reader, const struct hf_base *outside,
                   const struct json_body_value *dict, double partial)
{
    struct json_body_value value = {0};

    if (!dict || !hf_reader_find(reader, dict, "partial_rotary_factor", &value))
        (void)hf_reader_find(reader, NULL, "partial_rotary_factor", &value);
    if (reader->class)
        hf_reader_fail(reader, value.name ? &value : NULL, PE_CONFLICT,
                       "is %g of a head of %g columns, and qk_rope_head_dim is %g; make them "
                       "agree",
                       partial, outside->head, outside->rope_part);
    else
        hf_reader_fail(
            reader, value.name ? &value : NULL, PE_CONFLICT,
            "is of qk_rope_head_dim in some classes and of the whole head in others, "
            "and model_type is not known; leave it out if qk_rope_head_dim rotates");
}

/* Sets the columns that rotate of a head, of which they are the last. */
static void set_of_head(struct hf_reader *reader, struct model_use *use,
                        const struct hf_base *outside, const struct json_body_value *dict,
                        double partial)
{
    double width = outside->rope_part;

    if (isnan(width) && isnan(partial))
        (void)hf_reader_default(reader, "partial_rotary_factor", &partial);
    if (!isnan(partial) && !isnan(outside->head)) {
        width = trunc(outside->head * partial);
        if (!isnan(outside->rope_part) && width != outside->rope_part)
            refuse(reader, outside, dict, partial);
    } else if (!isnan(partial)) {
        refuse(reader, outside, dict, partial);
    }
    hf_reader_set_number(reader, use, "dim", width);
    if (reader->class && outside->head > width)
        hf_reader_note(reader, "the last %g of a head's %g columns rotate: dim is their number",
                       width, outside->head);
}

void hf_width_set(struct hf_reader *reader, struct model_use *use,
                  const struct hf_base *outside, const struct json_body_value *dict,
                  double partial)
{
    double rotary_dim = outside->rotary_dim;
    const bool of_head = hf_class_has(reader->class, HF_FACTOR_OF_HEAD) ||
                         (!isnan(outside->rope_part) && !isnan(partial) && partial != 1);

    if (of_head && (!isnan(outside->rope_part) || !isnan(outside->head))) {
        set_of_head(reader, use, outside, dict, partial);
        return;
    }
    hf_reader_set_number(reader, use, "dim", outside->dim);
    if (isnan(rotary_dim) && isnan(partial) &&
        !hf_reader_default(reader, "partial_rotary_factor", &partial))
        (void)hf_reader_default(reader, "rotary_dim", &rotary_dim);
    if (!isnan(rotary_dim))
        hf_reader_set_number(reader, use, "rotary_dim", rotary_dim);
    else if (!isnan(partial) && partial != 1)
        hf_reader_set_number(reader, use, "partial_rotary_factor", partial);
}
