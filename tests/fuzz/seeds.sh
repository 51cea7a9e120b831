#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# seeds.sh - writes the inputs that the unit tests give to the parsers into build/fuzz/seeds/NAME:
# the suites of the parsers run once more, and record.c records their calls. The seeds of the wire
# fuzzer are the cases of tests/http; those of the verdict's are one change of the numbers of each
# encoding, another one for the next.
set -uo pipefail
cd "$(dirname "$0")/../.."

rm -rf build/fuzz/seeds
mkdir -p build/fuzz/seeds/wire
export POSENC_RECORD=$PWD/build/fuzz/seeds
for suite in rows proto_rows query body_chunks hf_config tensor_reader npy_in npz_in torch_in csv_in gguf_in \
    safetensors_in request position_text positions json_numbers; do
    CK_RUN_SUITE=$suite build/fuzz/recorder >/dev/null 2>&1 || echo "seeds: suite $suite failed"
done
/usr/bin/python3 - <<'END'
import sys
sys.dont_write_bytecode = True
sys.path[:0] = ["tests/http", "tests"]
import test_wire
for i, (_, parts, _) in enumerate(test_wire.CASES):
    bytes_of = b"".join(part for part in parts if isinstance(part, bytes))
    if 0 < len(bytes_of) < 20000:
        with open("build/fuzz/seeds/wire/%03d" % i, "wb") as file:
            file.write(bytes_of)
END
mkdir -p build/fuzz/seeds/verdict
/usr/bin/python3 - "$(grep -c '^ENCODING' core/encodings.def)" <<'END'
import sys
for i in range(int(sys.argv[1])):
    choices = [i] + 5 * [0]  # the first example as it stands
    one_change = [1, i, 0, 1]
    with open("build/fuzz/seeds/verdict/%03d" % i, "wb") as file:
        file.write(bytes(choices + one_change))
END
for folder in build/fuzz/seeds/*; do
    echo "seeds $(basename "$folder"): $(find "$folder" -type f | wc -l)"
done
