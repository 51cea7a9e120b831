/* SPDX-License-Identifier: Apache-2.0
 * inference.h - the endpoints below /v2, the Open Inference Protocol: what the service and its
 * models are, health as JSON, and requests for inference, which go the way of requests for an
 * encoding. */
#pragma once

#include "server/document/document.h"

/* Rows of pages.def. */
document_read inference_read_index, inference_read_model;
document_write inference_write_service, inference_write_names, inference_write_index,
    inference_write_ready, inference_write_metadata, inference_write_config;
/* First steps. */
exchange_step inference_live, inference_ready, inference_infer;
