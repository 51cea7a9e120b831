/* SPDX-License-Identifier: Apache-2.0
 * cli_model_tables.c - see cli_model_tables.h. */
#include "server/cli/cli_model_tables.h"

#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/output/model_tables.h"
#include "server/cli/answer_format.h"
#include "server/cli/answer_limit.h"
#include "server/cli/answer_output.h"
#include "server/cli/command/say.h"
#include "server/cli/query_word.h"

/* Writes the words behind the model's name as a query; returns how many are no NAME=VALUE, each
 * of which is said. */
static size_t write_query(struct buffer *query, const struct call *call)
{
    struct query_word word;
    size_t wrong = 0;

    for (size_t i = 1; i < call->count; i++) {
        if (query_word_split(call->word[i], &word)) {
            query_word_add(query, &word, word.value, strlen(word.value));
        } else {
            say_error(CLI_USAGE, "\"%.60s\" must be NAME=VALUE", call->word[i]);
            wrong++;
        }
    }
    return wrong;
}

/* Plans the tables, which are taken over; NULL after a problem in *errors. */
static struct encoder *plan(struct model_tables *tables, const struct config *config,
                            struct pe_errors *errors)
{
    const struct request_limits limits = {.max_elements = config->max_elements,
                                          .max_text_elements = config->max_text_elements,
                                          .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct encoder *encoder = NULL;

    if (model_tables_plan(tables, &limits, errors) == PE_OK)
        encoder = model_tables_encoder(tables);
    if (!encoder)
        model_tables_free(tables);
    return encoder;
}

static int write_tables(const struct models *models, const struct model *model,
                        const struct buffer *query, const char *path,
                        const struct config *config, struct pe_errors *errors)
{
    struct model_tables *tables;
    struct answer_output output;

    if (model_tables_new(&tables, models, model, query->bytes, query->len, errors) != PE_OK)
        return say_problems(errors);
    answer_output_begin(&output, path, NULL);
    struct encoder *encoder = plan(tables, config, errors);
    const int code = answer_output_end(&output, encoder, errors);
    encoder_free(encoder);
    return code;
}

/* Finds the model of the first word; NULL after a line on stderr. */
static const struct model *find(const struct models *models, const char *name)
{
    const struct model *model = name ? models_find(models, name, strlen(name)) : NULL;
    char near[MODELS_NEAR_TEXT];

    if (!name || strchr(name, '=')) {
        say_error(CLI_USAGE, "models ID pos=0:4096 -o FILE needs the name of a model before "
                             "its parameters; posencd models lists them");
    } else if (!model) {
        models_print_nearest(models, name, strlen(name), near, sizeof near);
        say_unknown("model", name, *near ? near : NULL, "posencd models");
    }
    return model;
}

int cli_model_tables(const struct call *call, const struct models *models)
{
    const char *path = call->value[COMMAND_OPTION_MODELS_OUTPUT];
    const struct format *format = format_find_suffix("safetensors");
    const struct model *model = find(models, call->count > 0 ? call->word[0] : NULL);
    struct pe_errors *errors = calloc(1, sizeof *errors);
    struct buffer query = {0};
    struct config config;
    int code = CLI_USAGE;

    config_defaults(&config);
    size_t wrong = call->wrong + !model + write_query(&query, call);
    wrong += !answer_limit_set(&config, call, COMMAND_OPTION_MODELS_MAX_ELEMENTS);
    wrong += !answer_format_fits(format, path) || !answer_format_suits(format, path);
    if (call->value[COMMAND_OPTION_MODELS_JSON]) {
        say_error(CLI_USAGE, "--json lists models, and -o FILE writes the tables of one; leave "
                             "one of them out");
        wrong++;
    }
    if (!errors || query.failed)
        code = say_error(CLI_INTERNAL, "out of memory");
    else if (wrong == 0)
        code = write_tables(models, model, &query, path, &config, errors);
    buffer_fini(&query);
    free(errors);
    return code;
}
