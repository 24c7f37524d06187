#!/usr/bin/env bash
# Runs a recording again that a campaign has left, with a binary of this checkout, which should be of the
# same commit. Exit code 1: it failed again, or, as the last line says then, it was not reproduced.
#
#   CI/replay.sh RECORDING [TIMES]      # default: 20
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

(($# == 1 || $# == 2)) || fail "usage: CI/replay.sh RECORDING [TIMES]"
step "build stress" build_stress -tags chaos
step "replay" replay "$1" "${2:-20}"
