#!/usr/bin/env bash
# Tries the releases of Go that docs/go-versions.md has no row for, release candidates too: half an hour for each, and
# seconds if there is none. The page with their rows is rouse-out/go-versions.md, to be committed.
#
#   CI/releases.sh
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "releases of Go that have not been tried" releases
