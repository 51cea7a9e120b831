/* SPDX-License-Identifier: Apache-2.0
 * inference_metadata.c - see inference_metadata.h. */
#include "proto/inference/inference_metadata.h"

#include <inttypes.h>
#include <string.h>

#include "proto/inference/inference_shape.h"
#include "proto/tensors/element_type.h"

#define PLATFORM "posenc"

void inference_metadata_write_service(struct buffer *out)
{
    buffer_add_format(out,
                      "{\"name\":\"posencd\",\"version\":\"%s\",\"extensions\":["
                      "\"binary_tensor_data\",\"parameters\",\"model_configuration\","
                      "\"model_repository\"]}",
                      pe_version());
}

static void add_name(struct buffer *out, const struct inference_model *model)
{
    struct buffer name = {0};

    inference_model_write_name(&name, model);
    if (name.failed)
        buffer_fail(out);
    else
        buffer_add_json(out, name.bytes, name.len);
    buffer_fini(&name);
}

void inference_metadata_write_names(struct buffer *out, const struct models *models)
{
    struct inference_model_walk walk = {0};
    struct inference_model model;
    const char *comma = "";

    buffer_add_text(out, "{\"models\":[");
    for (; inference_model_next(&walk, models, &model); comma = ",") {
        buffer_add_text(out, comma);
        add_name(out, &model);
    }
    buffer_add_text(out, "]}");
}

void inference_metadata_write_index(struct buffer *out, const struct models *models)
{
    struct inference_model_walk walk = {0};
    struct inference_model model;
    const char *comma = "";

    buffer_add_text(out, "[");
    for (; inference_model_next(&walk, models, &model); comma = ",") {
        buffer_add_format(out, "%s{\"name\":", comma);
        add_name(out, &model);
        buffer_add_format(out, ",\"version\":\"%u\",\"state\":\"READY\",\"reason\":\"\"}",
                          pe_revision(model.enc));
    }
    buffer_add_text(out, "]");
}

/* ---- one model
 * ------------------------------------------------------------------------------ */

static void add_lengths(struct buffer *out, const struct inference_tensor *tensor)
{
    buffer_add_text(out, "[");
    for (size_t i = 0; i < tensor->rank; i++)
        buffer_add_format(out, "%s%" PRId64, i > 0 ? "," : "", tensor->dims[i]);
    buffer_add_text(out, "]");
}

static void add_tensors(struct buffer *out, const char *member,
                        const struct inference_tensor *tensors, size_t count)
{
    buffer_add_format(out, ",\"%s\":[", member);
    for (size_t i = 0; i < count; i++) {
        buffer_add_format(out,
                          "%s{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":", i > 0 ? "," : "",
                          tensors[i].name, element_type_of(tensors[i].dtype)->inference);
        add_lengths(out, &tensors[i]);
        buffer_add_text(out, "}");
    }
    buffer_add_text(out, "]");
}

static void add_config_tensors(struct buffer *out, const char *member,
                               const struct inference_tensor *tensors, size_t count,
                               bool optional)
{
    buffer_add_format(out, ",\"%s\":[", member);
    for (size_t i = 0; i < count; i++) {
        buffer_add_format(
            out, "%s{\"name\":\"%s\",\"data_type\":\"TYPE_%s\",\"dims\":", i > 0 ? "," : "",
            tensors[i].name, element_type_of(tensors[i].dtype)->inference);
        add_lengths(out, &tensors[i]);
        if (optional)
            buffer_add_format(out, ",\"optional\":%s", tensors[i].optional ? "true" : "false");
        buffer_add_text(out, "}");
    }
    buffer_add_text(out, "]");
}

/* Begins a document of the model, {"name":"rope", and finds its tensors. False: out of
 * memory. */
static bool begin(struct buffer *out, struct inference_shape *shape,
                  const struct inference_model *model, const struct models *models)
{
    if (!inference_shape_find(shape, model, models)) {
        buffer_fail(out);
        return false;
    }
    buffer_add_text(out, "{\"name\":");
    add_name(out, model);
    return true;
}

void inference_metadata_write(struct buffer *out, const struct inference_model *model,
                              const struct models *models)
{
    struct inference_shape shape;

    if (!begin(out, &shape, model, models))
        return;
    buffer_add_format(out, ",\"versions\":[\"%u\"],\"platform\":\"" PLATFORM "\"",
                      pe_revision(model->enc));
    add_tensors(out, "inputs", shape.inputs, shape.input_count);
    add_tensors(out, "outputs", shape.outputs, shape.output_count);
    buffer_add_text(out, "}");
}

void inference_metadata_write_config(struct buffer *out, const struct inference_model *model,
                                     const struct models *models)
{
    struct inference_shape shape;

    if (!begin(out, &shape, model, models))
        return;
    buffer_add_text(out, ",\"platform\":\"" PLATFORM "\",\"backend\":\"" PLATFORM
                         "\",\"max_batch_size\":0");
    add_config_tensors(out, "input", shape.inputs, shape.input_count, true);
    add_config_tensors(out, "output", shape.outputs, shape.output_count, false);
    buffer_add_text(out, "}");
}
