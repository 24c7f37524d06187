#!/usr/bin/env bash
# One part of a campaign that several machines share, part INDEX, from 0, of COUNT. All parts need the same
# $CHAOS_SEED. The results are in rouse-out, in shard-INDEX-of-COUNT; CI/merge.sh makes one report of
# them. A part that was interrupted resumes if it is started again with the same folder. The
# exit code is that of stress: 1 an oracle failed, 3 the tool itself failed.
#
#   CHAOS_SEED=20250101 CI/shard.sh 0 8
#   CHAOS_SEED=20250101 FOR=90m CI/shard.sh "$JOB_COMPLETION_INDEX" 8     # default: 1h
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

(($# == 2)) || fail "usage: CI/shard.sh INDEX COUNT"
[[ -n ${CHAOS_SEED:-} ]] || fail "CHAOS_SEED is not set; want the same number for all parts"
span=${FOR:-1h}
! short || span=1s

step "build stress" build_stress -tags chaos
step "campaign, part $1 of $2" go_on "shard-$1-of-$2" --shard "$1/$2" --for "$span" --resume
