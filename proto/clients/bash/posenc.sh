#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# posenc.sh - a client of posencd to copy: tables, rotated vectors and pictures by curl and od.
#
#     POSENC_URL=http://localhost:8080 ./posenc.sh
#     ./posenc.sh '/v1/rope?dim=8&pos=0:4&out=cos'      prints the numbers of any such URL
set -euo pipefail

base=${POSENC_URL:-http://localhost:8080}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Asks for a target, with more arguments for curl, and writes the answer to $folder/answer; asks
# again where the service is overloaded, after the time that it asks for. Ends with the service's
# problem where it says no.
ask() {
    local target=$1
    shift
    if ! curl --silent --show-error --fail-with-body --globoff --max-time 30 --retry 3 "$@" \
        --output "$folder/answer" "$base$target" 2>"$folder/why"; then
        cat "$folder"/* | sed 's/^/posenc: /' >&2
        exit 1
    fi
}

# Prints a tensor of float32, which format=raw answers in little-endian bytes and C order.
numbers() {
    local name=$1 target=$2
    shift 2
    ask "$target&dtype=f32&format=raw" "$@"
    echo "$name $(od --address-radix=n --format=fF --output-duplicates --endian=little \
        "$folder/answer" | tr --delete '\n')"
}

# Rows of numbers, turned by their positions; a body of JSON has them as text.
rotate() {
    local name=$1 rows=$2
    numbers "$name" '/v1/rope/apply?pos=0:2' --json "{\"x\": $rows}" --header 'Accept: */*'
}

if [ $# -gt 0 ]; then
    numbers numbers "$1"
    exit
fi
numbers row '/v1/sinusoidal?dim=8&pos=3'
numbers table '/v1/rope?dim=8&pos=0:4&out=cos'
rotate q '[[1, 2, 3, 4], [5, 6, 7, 8]]'
rotate k '[[1, 0, 0, 1], [0, 1, 1, 0]]'
ask '/v1/alibi?heads=8&len=64&format=png'
mv "$folder/answer" alibi.png
ask /v1/models/resolve --json '{"model_type": "llama", "head_dim": 8, "rope_theta": 500000}'
numbers config "$(sed -E 's/.*"urls":\["([^"]*)".*/\1/' "$folder/answer")&out=cos"
