#!/usr/bin/env bash
# Compiles the C programs of the node agent.
#   build.sh OUTDIR
# Makes OUTDIR/qs-shim (the supervisor of one attempt) and OUTDIR/stub/libnvidia-ml.so.1 (a stand-in
# for NVML on hosts without a GPU). Builds only what is older than its source. Without a C compiler
# or a source it says so and leaves that target out, so that the Java build still works.
set -euo pipefail

out=${1:?usage: build.sh OUTDIR}
src=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cc=${CC:-cc}
flags=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)

loud() { echo "[WARNING] native: ***** $* *****" >&2; }

if ! command -v "$cc" >/dev/null; then
  loud "no C compiler '$cc' found: qs-shim and the stub NVML library are NOT built; install gcc"
  exit 0
fi

# compile SOURCE TARGET OPTION...
# Further sources of a target may stand among its options.
compile() {
  local source=$src/$1 target=$out/$2
  shift 2
  if [[ ! -f $source ]]; then
    loud "$source is missing: $target is NOT built"
    return
  fi
  # Headers, the parts of the stub and this script count as sources of every target.
  if [[ -f $target && -z $(find "$source" "$src" \( -path "$source" -o -name '*.h' -o -name 'nvml-stub-*.c' -o -name build.sh \) -newer "$target" -print -quit) ]]; then
    return
  fi
  mkdir -p "$(dirname "$target")"
  echo "[INFO] native: $cc $(basename "$source") -> $target"
  # Into place by rename: a running program keeps its old file.
  "$cc" "${flags[@]}" "$source" -o "$target.new" "$@"
  mv -f "$target.new" "$target"
}

compile qs-shim.c qs-shim
compile nvml-stub.c stub/libnvidia-ml.so.1 "$src/nvml-stub-config.c" "$src/nvml-stub-proc.c" -fPIC -shared -fvisibility=hidden -Wl,-soname,libnvidia-ml.so.1 -lpthread
