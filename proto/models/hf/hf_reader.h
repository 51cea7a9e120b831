/* SPDX-License-Identifier: Apache-2.0
 * hf_reader.h - the state of struct hf_config while it is read: look-ups in a configuration
 * with its nested parts, and texts that live as long as the result. Private to hf_*. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/models/hf/hf_class.h"
#include "proto/models/hf/hf_reads.h"
#include "proto/models/model.h"
#include "proto/text/json_body.h"

enum {
    HF_USES_MAX = 8,
    HF_BESIDES_MAX = 16,
    HF_COMPONENTS_MAX = 12,
    HF_SETTINGS_MAX = 24,
    HF_NOTES_MAX = 64
};

struct hf_text {
    struct hf_text *next;
    char bytes[];
};

struct hf_config {
    struct model model;
    struct model_use uses[HF_USES_MAX + HF_BESIDES_MAX]; /* the model's uses, then besides */
    struct model_setting settings[HF_USES_MAX + HF_BESIDES_MAX][HF_SETTINGS_MAX];
    struct model_beside besides[HF_BESIDES_MAX];
    struct model_component components[HF_COMPONENTS_MAX];
    const char *notes[HF_NOTES_MAX];
    size_t note_count;
    const char **pattern;  /* the model's pattern, which hf_config_free frees */
    struct hf_text *texts; /* the texts of the model, newest first; hf_config_free frees them */
};

struct hf_reader {
    const struct json_body *body;
    const struct json_body_value *outer; /* the configuration in it; NULL: all of it */
    /* text_config or another nested part, which is searched before the outer one. */
    struct json_body_value inner;
    struct json_body_value around; /* the part that holds the inner part, if it is no body */
    bool nested;                   /* there is an inner part */
    bool twice;                    /* there is a part around the inner part */
    const struct hf_class *class;  /* the row of model_type or its part; NULL: none */
    struct hf_config *config;
    struct pe_errors *errors;
    struct hf_reads reads; /* the members that have been found */
    double length;         /* of the context; NaN: not given */
    bool still;            /* nothing rotates, as a note says */
};

/* Copies a text for the config's life; "" when out of memory, which is in errors. */
const char *hf_reader_keep(struct hf_reader *reader, const char *text, size_t len);
/* Adds a note, unless the config has it already; the last one that fits says that there are
 * more. */
void hf_reader_note(struct hf_reader *reader, const char *format, ...) PE_PRINTF(2, 3);

/* Adds a problem with a member, named by its pointer. */
void hf_reader_fail(struct hf_reader *reader, const struct json_body_value *value,
                    enum pe_status status, const char *format, ...) PE_PRINTF(4, 5);
/* Adds the problem of a member with more things than the limit. */
void hf_reader_refuse_many(struct hf_reader *reader, const struct json_body_value *value,
                           const char *things, size_t count, size_t most);

/* Finds a member that is not null in `object`, or (NULL) in the nested part, else in the
 * outer one. Two numbers that differ between these are a problem (except hidden_size and
 * num_hidden_layers, which outside belong to another part). */
bool hf_reader_find(struct hf_reader *reader, const struct json_body_value *object,
                    const char *name, struct json_body_value *value);
/* Finds a member that is not null as hf_reader_find does, without counting it as read: for what
 * its presence says. */
bool hf_reader_peek(const struct hf_reader *reader, const char *name,
                    struct json_body_value *value);
/* Returns whether the configuration has null for a member, which is then not absent. */
bool hf_reader_is_null(const struct hf_reader *reader, const char *name);
/* Reads a member as a positive number; false if absent (another kind is a problem). */
bool hf_reader_number(struct hf_reader *reader, const struct json_body_value *object,
                      const char *name, double *number);
/* Reads the first of several names with one meaning, WORDS("a", "b"); two names with different
 * values are a problem. */
#define WORDS(...)                                                                             \
    (const char *const[])                                                                      \
    {                                                                                          \
        __VA_ARGS__, NULL                                                                      \
    }
bool hf_reader_number_of(struct hf_reader *reader, const struct json_body_value *object,
                         const char *const *names, double *number);
/* Reads a count by any of its names, outside of dictionaries; 4096.5 is refused. */
bool hf_reader_integer_of(struct hf_reader *reader, const char *const *names, double *number);
/* Returns whether a member outside of dictionaries is that flag; false if it is absent, or, as
 * a note says, neither true nor false. */
bool hf_reader_is(struct hf_reader *reader, const char *name, bool flag);
const char *hf_reader_text(struct hf_reader *reader, const char *name); /* NULL if absent */

/* Reads the class's number for an absent key, and notes it; false if none is known. */
bool hf_reader_default(struct hf_reader *reader, const char *key, double *number);

/* Adds a use; NULL when there are too many uses, which is a problem. */
struct model_use *hf_reader_use(struct hf_reader *reader, const char *encoding,
                                const char *layer_type);
/* Adds an encoding beside the uses, which the value `from` names; NULL when there are too many.
 * hf_reader_drop removes the one that was added last. */
struct model_use *hf_reader_beside(struct hf_reader *reader, const struct json_body_value *from,
                                   const char *encoding, const char *layer_type);
void hf_reader_drop(struct hf_reader *reader);
void hf_reader_set(struct hf_reader *reader, struct model_use *use, const char *name,
                   const char *text);
void hf_reader_set_number(struct hf_reader *reader, struct model_use *use, const char *name,
                          double number);
