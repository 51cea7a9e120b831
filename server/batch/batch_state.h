/* SPDX-License-Identifier: Apache-2.0
 * batch_state.h - a batch at work, for batch*.c. The loop has it (ex->parts.batch), or a job on
 * the pool, never both. */
#pragma once

#include "proto/batch/batch_answer.h"
#include "proto/batch/batch_body.h"
#include "proto/batch/batch_tag.h"
#include "proto/text/json_body.h"
#include "server/batch/batch.h"
#include "server/exchange/wait.h"

/* The answer of a part that is no entry of the cache, while it is made. */
struct batch_whole {
    struct request *request;
    struct pe_plan *plan;
    struct encoder *encoder;
    size_t limit;      /* most bytes */
    uint64_t reserved; /* bytes of the in-flight budget */
    uint64_t ns;
    bool too_long;
};

struct batch {
    struct wait wait; /* for its turn, or for bytes */
    struct service *service;
    const char *base; /* prefix of every path; borrowed from the configuration */
    struct json_body *json;
    struct inflight_body held; /* bytes of the body in the budget of bodies */
    enum json_body_state json_state;
    struct batch_body body;
    struct model_set *models; /* names mean one thing in all parts */
    struct tables *tables;
    const struct format *format;
    bool format_given;
    struct batch_answer answer;
    struct batch_tag *tag;
    uint64_t reserved;        /* bytes of the in-flight budget for the answer */
    uint64_t reserved_parsed; /* and for what the body grew by as its end was parsed */
    uint64_t elements;
    size_t next;      /* index of the next part */
    size_t noted;     /* the parts whose tags are in .tag, and whose names are known */
    bool tagging;     /* parts are read for their tags alone */
    bool has_tensors; /* an answer depends on a tensor of the body */
    bool named, all_pinned, missed;
    char old_names[REQUEST_OLD_NAMES_SIZE];
    double compute_ms;
    uint64_t later_ms; /* of the deadline, which comes earlier while the batch has no turn */
    struct exchange_lack lack; /* of the bytes that the batch waits for */
    uint64_t wanted;  /* bytes that the answer takes at once, which it gave back; 0: none */
    uint64_t turn_ns; /* when its last turn on the loop began */
    enum pe_status status;
    struct pe_errors *errors; /* of the body, then of the part that is read */
    struct pe_stop stop;
    struct batch_whole whole;
    char *gzip; /* the compressed answer; NULL: there is none */
    size_t gzip_len;
};

/* ---- batch_job.c ---------------------------------------------------------------------- */

/* Work on a batch, on any thread that has it to itself. */
typedef void batch_work(struct batch *batch);
/* Does the work on the pool, and then runs the step. False: the pool or memory is full. */
bool batch_job_start(struct exchange *ex, batch_work *work, exchange_step *next,
                     double operations);
void batch_free(struct batch *batch); /* NULL is ignored */
batch_work batch_work_read_body;      /* parses and checks the body */
batch_work batch_work_read_part;      /* makes whole.request of part number .next */
batch_work batch_work_whole;          /* computes whole.encoder's answer, and adds it */
batch_work batch_work_compress;       /* compresses the answer */

/* ---- batch_part.c --------------------------------------------------------------------- */

/* Runs the next part that has been read (whole.request, .status, .errors). Then `after` is the
 * next step. */
enum next batch_part_begin(struct exchange *ex);
/* Ends the batch itself with a problem; what its parts have reserved is released. */
enum next batch_fail(struct exchange *ex, enum problem_kind kind, const char *detail);
extern const struct exchange_parts_kind batch_parts;

/* ---- batch.c -------------------------------------------------------------------------- */

exchange_step batch_step_body; /* reads the body */
exchange_step batch_step_next; /* reads the next part, or ends the batch */

/* ---- batch_wait.c --------------------------------------------------------------------- */

/* The whole body has arrived: it is read when it is the turn of this batch. */
exchange_step batch_wait_begin;
/* A part lacks bytes. True: the batch has a place to wait in until answers give some back. */
bool batch_may_wait_bytes(struct exchange *ex);
/* Waits for the bytes that lack, and begins the part again, or the first one, if the batch has
 * to give back what it has. */
enum next batch_wait_bytes(struct exchange *ex, const struct exchange_lack *lack);

/* ---- batch_response.c ----------------------------------------------------------------- */

/* All parts have their answers: queues the response. */
exchange_step batch_step_respond;
/* True if the client has the answer, by the tag as it is now. */
bool batch_is_known(const struct exchange *ex, bool made);
enum next batch_not_modified(struct exchange *ex, uint64_t len);
