#!/usr/bin/env bash
# Runs the tests N times in a row, both builds, with the race detector and without
# the cache, and stops at the first failure. A test that fails once in 20 is as
# broken as one that always fails, only harder to find.
#
#   CI/flake.sh [N [PACKAGE...]]   # default: 20, all packages
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

n=${1:-20}
[[ $n =~ ^[1-9][0-9]*$ ]] || fail "usage: CI/flake.sh [N [PACKAGE...]], N a positive whole number"
packages=("${@:2}")
((${#packages[@]} > 0)) || packages=(./...)
for ((i = 1; i <= n; i++)); do
	step "round $i of $n" test_race_of -count=1 "${packages[@]}"
done
