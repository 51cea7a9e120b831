/* SPDX-License-Identifier: Apache-2.0
 * certificate.h - a chain of X.509 certificates and the key to it, ready for handshakes. */
#ifndef SERVER_CERTIFICATE_H
#define SERVER_CERTIFICATE_H

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* TLS 1.2 and 1.3, forward secrecy, no SHA-1, no tricks for old clients. */
#define CERTIFICATE_PRIORITIES                                                                 \
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:%SERVER_PRECEDENCE"

struct certificate; /* immutable, counted */

/* From PEM. NULL, and in `why` what is wrong; a key that does not fit is wrong too. */
struct certificate *certificate_new(const char *chain, size_t chain_len, const char *key,
                                    size_t key_len, char *why, size_t size);
struct certificate *certificate_share(struct certificate *certificate); /* NULL: NULL */
void certificate_drop(struct certificate *certificate);                 /* NULL: nothing */

/* The session shows it in its handshake, which has not begun; it must outlive the session. */
bool certificate_show(struct certificate *certificate, gnutls_session_t session);
/* When it ceases to be valid, in seconds since 1970; -1: unknown. */
time_t certificate_expires(const struct certificate *certificate);

#endif
