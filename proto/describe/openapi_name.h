/* SPDX-License-Identifier: Apache-2.0
 * openapi_name.h - the names that OpenAPI gives to operations and to parts of encodings. */
#pragma once

#include "core/posenc.h"

enum { OPENAPI_NAME_SIZE = 80 };

/* Writes "v1_encodings_id" for "/v1/encodings/{id}" and "rope_apply" for "rope/apply": the end
 * of an operationId. Returns text. */
const char *openapi_name_of_path(const char *path, char text[OPENAPI_NAME_SIZE]);
/* Writes "Rope2dAxialApply" for "rope2d-axial/apply": the name of an encoding's component.
 * Returns text. */
const char *openapi_name_of_encoding(const struct pe_encoding *enc,
                                     char text[OPENAPI_NAME_SIZE]);
