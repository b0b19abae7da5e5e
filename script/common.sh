# Shared by the scripts beside it: where things are, how they speak, how apt packages come. Sourced, not run.
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
VENV="$ROOT/.venv"
PY="$VENV/bin/python"

say() { printf '%s\n' "-- $*" >&2; }
die() { printf '%s\n' "error: $*" >&2; exit 1; }

# want_apt COMMAND PACKAGE...: when COMMAND is missing, install the packages if this user may; 1 when still missing.
want_apt() {
  local command=$1; shift
  command -v "$command" >/dev/null 2>&1 && return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing $* (apt)"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get install -y -qq --no-install-recommends "$@" || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; }; } >/dev/null 2>&1 || true
  fi
  command -v "$command" >/dev/null 2>&1
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
