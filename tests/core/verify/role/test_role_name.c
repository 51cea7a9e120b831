/* SPDX-License-Identifier: Apache-2.0
 * test_role_name.c - names of tensors in other programs, and what they mean for an encoding. */
#include <string.h>

#include "core/verify/role/role_name.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *name;
    enum role_kind kind;
    const char *means; /* the output or the parameter; NULL: neither */
} rows[] = {
    {"rope", "cos", ROLE_OUTPUT, "cos"},
    {"rope", "model.layers.0.self_attn.rotary_emb.inv_freq", ROLE_OUTPUT, "inv_freq"},
    {"rope", "rotary_emb/cos_cached", ROLE_OUTPUT, "cos"},
    {"rope", "rotary.SIN_table", ROLE_OUTPUT, "sin"},
    {"rope", "cos_k", ROLE_OUTPUT, "cos"},
    {"rope", "freqs_sin", ROLE_OUTPUT, "sin"},
    {"rope", "position_embeddings.1", ROLE_OUTPUT, "sin"},
    {"rope", "self_attn.position_embeddings.0", ROLE_OUTPUT, "cos"},
    {"rope", "freqs", ROLE_OUTPUT, "inv_freq"},
    {"rope", "rotary_emb.cos_sin_cache", ROLE_BOTH, "cos"},
    {"rope", "sin_cos", ROLE_BOTH, "sin"},
    {"rope", "rope_cache", ROLE_BOTH, NULL},
    {"rope", "freqs_cis", ROLE_BOTH, NULL},
    {"rope", "position_ids", ROLE_OUTPUT, "pos"},
    {"ids-packed", "position_ids", ROLE_OUTPUT, "positions"},
    {"rope", "embed_positions.weight", ROLE_BOTH, NULL},
    {"rope", "lm_head.weight", ROLE_UNKNOWN, NULL},
    {"rope", "arr_0", ROLE_UNKNOWN, NULL},
    {"rope", "cosmos", ROLE_UNKNOWN, NULL},
    {"rope", "", ROLE_UNKNOWN, NULL},
    {"sinusoidal", "embed_positions.weight", ROLE_OUTPUT, "rows"},
    {"sinusoidal", "pos_cis", ROLE_UNKNOWN, NULL},
    {"rope/apply", "layers.0.attn.q", ROLE_BEFORE, "q"},
    {"rope/apply", "layers.0.attn.q_rot", ROLE_AFTER, "q"},
    {"rope/apply", "xk_out", ROLE_AFTER, "k"},
    {"rope/apply", "query", ROLE_BEFORE, "q"},
    {"rope/apply", "k_embed", ROLE_AFTER, "k"},
    {"rope/apply", "query_states", ROLE_BEFORE, "q"},
    {"rope/apply", "key_states.new", ROLE_UNKNOWN, NULL},
    {"rope/apply", "y", ROLE_AFTER, "x"},
    {"causal-mask", "attention_mask", ROLE_OUTPUT, "mask"},
    {"causal-mask", "attn_bias", ROLE_OUTPUT, "additive"},
    {"alibi", "attn_bias", ROLE_OUTPUT, "bias"},
    {"alibi", "attention_mask", ROLE_OUTPUT, "attention_mask"},
    {"t5", "relative_position_bucket", ROLE_OUTPUT, "buckets"},
    {"swin", "relative_position_index", ROLE_OUTPUT, "index"},
};

START_TEST(a_name_of_another_program_means_an_output_or_a_parameter)
{
    const struct pe_encoding *enc = pe_find(rows[_i].encoding, strlen(rows[_i].encoding));
    const struct role_name read = role_name_read(enc, rows[_i].name);
    const char *means = read.kind == ROLE_BEFORE ? read.param->name
                        : read.output            ? read.output->name
                        : read.param             ? read.param->name
                                                 : NULL;

    ck_assert_msg(read.kind == rows[_i].kind, "%s: %d", rows[_i].name, (int)read.kind);
    ck_assert_str_eq(means ? means : "", rows[_i].means ? rows[_i].means : "");
}
END_TEST

START_TEST(the_end_of_a_very_long_name_is_read)
{
    char name[400];

    memset(name, 'm', sizeof name);
    memcpy(name + sizeof name - 5, ".cos", 5);
    ck_assert_int_eq(role_name_read(pe_find("rope", 4), name).kind, ROLE_OUTPUT);
}
END_TEST

SUITE(role_name, TEST_EACH(a_name_of_another_program_means_an_output_or_a_parameter, rows),
      TEST(the_end_of_a_very_long_name_is_read));
