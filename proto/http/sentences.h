/* SPDX-License-Identifier: Apache-2.0
 * sentences.h - the details of problems that the service and proto/local both write, as formats
 * of printf, so that both say the same bytes. A path or a name is cut by its %.*s. */
#pragma once

/* path; "; did you mean " or "; see "; prefix of paths; the path meant; "?" or "" */
#define SENTENCE_NOTHING_THERE "there is nothing at %.*s%s%s%s%s"
/* path; "; did you mean " or ""; the name meant or ""; "?" or "" */
#define SENTENCE_NO_DOCUMENT "there is nothing at %.*s%s%.64s%s"
/* name; "; did you mean " or ""; the names meant or ""; "?" or "" */
#define SENTENCE_NO_MODEL "there is no model %.*s%s%.140s%s; /v1/models lists them"
/* template of the path */
#define SENTENCE_NO_METHOD "%s does not take this method; see Allow"
/* path */
#define SENTENCE_NO_PARAMETERS "this path takes no parameters; ask for %.*s alone"
#define SENTENCE_NO_FORMAT "no format fits the Accept header; see available"
#define SENTENCE_NO_MEMORY "out of memory; try again"
/* prefix of paths */
#define SENTENCE_BATCH_BODY                                                                    \
    "send the requests as the body: {\"requests\": [{\"path\": "                               \
    "\"%s/v1/{encoding}?pos=0:4\"}]}"
/* requests with problems; all requests; name of the format */
#define SENTENCE_BATCH_WHOLE                                                                   \
    "%zu of %zu requests have problems; as %s a batch needs all answers, and as json it has "  \
    "those that there are"
#define SENTENCE_CONFIG_BODY "send a Hugging Face config.json as the body"
#define SENTENCE_VERIFY_BODY "send tensors as the body: npz, npy, safetensors or JSON"
