/* SPDX-License-Identifier: Apache-2.0
 * hf_class.c - the rows of classes/, and look-ups in them. */
#include "proto/models/hf/hf_class.h"

#include <string.h>

/* clang-format off */
#define HF_NUMBERS(...) (const struct hf_number[]){__VA_ARGS__, {NULL, 0}}
#define HF_LABELS(...) (const struct hf_label[]){__VA_ARGS__, {NULL, NULL}}
#define HF_FLAG(...) &(const struct hf_flag){__VA_ARGS__}
#define HF_ENCODINGS(...) (const struct hf_encoding[]){__VA_ARGS__, {.last = true}}
/* clang-format on */

#include "proto/models/hf/classes/shared.def"

static const struct hf_class classes[] = {
#define HF_CLASS(NAME, SOURCE, PATH, ...) {.name = NAME, __VA_ARGS__},
#include "proto/models/hf/classes/diffusers.def"
#include "proto/models/hf/classes/other.def"
#include "proto/models/hf/classes/transformers.def"
#include "proto/models/hf/classes/vllm.def"
#undef HF_CLASS
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

const struct hf_class *hf_class_at(size_t i)
{
    return i < CLASSES ? &classes[i] : NULL;
}

const struct hf_class *hf_class_find(const char *name)
{
    for (size_t i = 0; name && i < CLASSES; i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    return NULL;
}

const struct hf_class *hf_class_find_rotating(const char *model_type)
{
    const struct hf_class *row = hf_class_find(model_type);

    if (row && row->part)
        row = hf_class_find(row->part);
    return row && row->pairing != HF_UNPAIRED ? row : NULL;
}

bool hf_class_has(const struct hf_class *row, unsigned trait)
{
    return row && (row->traits & trait) != 0;
}

const char *hf_class_label(const struct hf_class *row, const char *name, size_t i)
{
    for (const struct hf_label *label = row ? row->labels : NULL; label && label->name; label++)
        if ((!name || strcmp(label->name, name) == 0) && i-- == 0)
            return label->layer_type;
    return NULL;
}

bool hf_class_has_labels(const struct hf_class *row)
{
    return hf_class_label(row, NULL, 0) != NULL;
}

/* Returns the class's number for one of the keys that many classes have numbers for, else 0. */
static double number_of(const struct hf_class *row, const char *key)
{
    const struct hf_number common[] = {{"hidden_size", row->hidden_size},
                                       {"num_attention_heads", row->heads},
                                       {"head_dim", row->head_dim},
                                       {"rope_theta", row->rope_theta}};

    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (strcmp(common[i].key, key) == 0)
            return common[i].value;
    return 0;
}

bool hf_class_default(const struct hf_class *row, const char *key, double *number)
{
    double value = row ? number_of(row, key) : 0;

    for (const struct hf_number *own = row ? row->numbers : NULL; own && own->key; own++)
        if (strcmp(own->key, key) == 0)
            value = own->value;
    if (value > 0)
        *number = value;
    return value > 0;
}
