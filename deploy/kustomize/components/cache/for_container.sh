#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# for_container.sh FILE [REPLICA...] - prints deploy/nginx/posencd.conf for a container: nginx listens
# at port 8080 for any name. Replicas are HOST:PORT; without any, they are the pods behind the
# headless Service that SERVICE names. DNS is asked for them again every 5 s (nginx 1.27.3 or later; older
# ones know no `resolve` without a subscription).
#
# Pods are asked for as SRV records (service=http), since nginx hashes the name of a server: with the
# name of the Service all pods would be one server, and requests would be spread by turns. Each SRV
# record has a name of its own.
set -eu

file=$1
shift
resolv=${RESOLV_CONF:-/etc/resolv.conf}
service=${SERVICE:-posencd-pods}
nameserver=$(awk '$1 == "nameserver" { print ($2 ~ /:/) ? "[" $2 "]" : $2; exit }' "$resolv")
# The first domain that a pod searches is NAMESPACE.svc.CLUSTER.
domain=$(awk '$1 == "search" { print $2; exit }' "$resolv")
if [ -z "$nameserver" ]; then
    echo "$resolv must have a nameserver" >&2
    exit 1
fi
if [ $# -eq 0 ] && [ -z "$domain" ]; then
    echo "$resolv must have a search domain, as pods with dnsPolicy ClusterFirst have" >&2
    exit 1
fi

servers="zone posencd 1m; resolver $nameserver valid=5s;"
for replica in "$@"; do
    servers="$servers server $replica resolve max_fails=0;"
done
[ $# -gt 0 ] || servers="$servers server $service.$domain service=http resolve max_fails=0;"
awk -v servers="$servers" '
    /^ *server 127\.0\.0\.1:8080 max_fails=0;/ { sub(/server.*/, servers); replicas++ }
    /^ *listen 127\.0\.0\.1:8081;/ { sub(/127\.0\.0\.1:8081/, "8080"); ports++ }
    /^ *server_name / { sub(/server_name [^;]*/, "server_name _"); names++ }
    { print }
    END {
        if (replicas != 1 || ports != 1 || names != 1) {
            print "FILE must have one server 127.0.0.1:8080 max_fails=0, one listen 127.0.0.1:8081 and one " \
                "server_name; got " replicas + 0 ", " ports + 0 " and " names + 0 >"/dev/stderr"
            exit 1
        }
    }' "$file"
