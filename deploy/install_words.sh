#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install_words.sh PROGRAM SHARE - writes what posencd says of itself into the folders below SHARE
# where shells and man look: scripts of completion, and manual pages. The variables ZSHDIR and MANDIR
# name other folders for zsh and man.
set -euo pipefail

program=$1 share=$2
shells=$share/bash-completion/completions
functions=${ZSHDIR:-$share/zsh/site-functions}
vendor=$share/fish/vendor_completions.d
pages=${MANDIR:-$share/man}/man1

install -d "$shells" "$functions" "$vendor" "$pages"
"$program" completion bash >"$shells/posencd"
"$program" completion zsh >"$functions/_posencd"
"$program" completion fish >"$vendor/posencd.fish"
"$program" man >"$pages/posencd.1"
# The commands are those that the program completes.
"$program" complete '' | tail -n +2 | cut -f 1 | while read -r command; do
    "$program" man "$command" >"$pages/posencd-$command.1"
done
chmod 644 "$shells/posencd" "$functions/_posencd" "$vendor/posencd.fish" "$pages"/posencd*.1
