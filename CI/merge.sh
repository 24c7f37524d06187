#!/usr/bin/env bash
# One report and one verdict of the parts of a campaign (CI/shard.sh), which must all be there. The report
# is in rouse-out, in merged.
#
#   CI/merge.sh rouse-out/shard-*
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

(($# > 0)) || fail "usage: CI/merge.sh REPORT..., folders of CI/shard.sh or files of stress run --json"
step "build stress" build_stress -tags chaos
step "merge" merge "$@"
