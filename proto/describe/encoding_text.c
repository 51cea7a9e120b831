/* SPDX-License-Identifier: Apache-2.0
 * encoding_text.c - see encoding_text.h. */
#include "proto/describe/encoding_text.h"

#include <string.h>

#include "proto/describe/param_text.h"
#include "proto/request/param_names.h"
#include "proto/tensors/tensor.h"

enum { INDENT = 6 };

void encoding_text_wrap(struct buffer *out, size_t indent, const char *text)
{
    size_t column = 0;

    for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
        const size_t len = strcspn(word, " ");

        if (column > 0 && column + 1 + len > ENCODING_TEXT_COLUMNS) {
            buffer_add_text(out, "\n");
            column = 0;
        }
        if (column == 0)
            buffer_add_format(out, "%*s", (int)indent, "");
        else
            buffer_add_text(out, " ");
        column += (column == 0 ? indent : 1) + len;
        buffer_add(out, word, len);
        word += len;
    }
    buffer_add_text(out, "\n");
}

static void add_param(struct buffer *out, const struct pe_param *param)
{
    buffer_add_format(out, "  %s\n", param->name);
    encoding_text_wrap(out, INDENT, pe_param_summary(param));
    buffer_add_format(out, "%*s", INDENT, "");
    param_text_values(out, param);
    buffer_add_text(out, param->required ? "; required" : "");
    param_text_default(out, "; default ", param);
    buffer_add_text(out, "\n");
}

static void add_examples(struct buffer *out, const struct pe_encoding *enc)
{
    buffer_add_text(out, "\nexamples:\n");
    for (const char *const *example = pe_examples(enc); *example; example++) {
        buffer_add_format(out, "  posencd compute %s", pe_name(enc));
        for (const char *c = *example, *stop; *c != '\0'; c = *stop == '&' ? stop + 1 : stop) {
            stop = c + strcspn(c, "&");
            buffer_add_text(out, " ");
            buffer_add(out, c, (size_t)(stop - c));
        }
        buffer_add_text(out, "\n");
    }
}

/* Says which parameters are read from files. */
static void add_files(struct buffer *out, const struct pe_encoding *enc)
{
    char names[TENSOR_NAMES_SIZE];

    if (!tensor_is_taken(enc))
        return;
    buffer_add_text(out,
                    "NAME=@FILE or NAME=@FILE:TENSOR reads a tensor or a list from a file:\n");
    encoding_text_wrap(out, 2, tensor_print_names(enc, names, sizeof names));
    buffer_add_text(out, "\n");
}

void encoding_text_write_help(struct buffer *out, const struct pe_encoding *enc)
{
    struct param_names vocabulary;

    param_names_init(&vocabulary, enc);
    buffer_add_format(out, "usage: posencd compute %s NAME=VALUE ... [-o FILE]\n\n",
                      pe_name(enc));
    encoding_text_wrap(out, 0, pe_summary(enc));
    buffer_add_format(out, "(%s)\n\n", pe_source(enc));
    add_files(out, enc);
    for (size_t i = 0; i < vocabulary.count; i++) {
        buffer_add_text(out, i == vocabulary.own ? "\n" : "");
        add_param(out, vocabulary.at[i]);
    }
    add_examples(out, enc);
}

/* ---- the whole description ----------------------------------------------------------- */

static void add_section(struct buffer *out, const char *title, const char *text)
{
    if (!text)
        return;
    buffer_add_format(out, "\n%s:\n", title);
    encoding_text_wrap(out, 2, text);
}

static void add_outputs(struct buffer *out, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    buffer_add_text(out, "\noutputs:\n");
    for (size_t i = 0; i < count; i++) {
        buffer_add_format(out, "  %s [", output[i].name);
        for (size_t j = 0; j < PE_MAX_RANK && output[i].axes[j]; j++)
            buffer_add_format(out, "%s%s", j == 0 ? "" : ", ", output[i].axes[j]);
        buffer_add_format(out, "] %s%s\n", pe_dtype_name(output[i].natural),
                          output[i].by_default ? ", answered by default" : "");
        encoding_text_wrap(out, INDENT, output[i].summary);
        if (output[i].bound)
            buffer_add_format(out, "%*sat most %s from the exact value\n", INDENT, "",
                              output[i].bound);
    }
}

void encoding_text_write(struct buffer *out, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    buffer_add_format(out, "%s - %s (%s, revision %u)\n", pe_name(enc), pe_title(enc),
                      pe_family_name(pe_family_of(enc)), pe_revision(enc));
    encoding_text_wrap(out, 0, pe_summary(enc));
    add_section(out, "formula", pe_formula(enc));
    add_section(out, "when to use it", pe_when_to_use(enc));
    add_section(out, "what goes wrong", pe_what_goes_wrong(enc));
    buffer_add_text(out, "\nparameters:\n");
    for (size_t i = 0; i < count; i++)
        add_param(out, &param[i]);
    add_outputs(out, enc);
    add_section(out, "source", pe_source(enc));
    add_examples(out, enc);
}
