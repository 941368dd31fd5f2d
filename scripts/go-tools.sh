# Sourced by the benchmarks and by the scripts that validate k8s/ and docker-compose.yml: pinned programs and schemas out of
# Go modules, kept outside the checkout in TOOLS_DIR (default: the user's cache). Requires Go.
tools=${TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/research-data-catalog}

if ! command -v go > /dev/null; then
  echo "$0 requires Go to build its tools: install it from https://go.dev" >&2
  exit 1
fi

# go_tool <name> <package> <version>: builds a program once and sets `tool` to it.
go_tool() {
  tool=$tools/$1-$3/$(basename "$2")
  case $2 in */v[0-9]) tool=$tools/$1-$3/$(basename "$(dirname "$2")") ;; esac
  [ -x "$tool" ] || GOBIN=$tools/$1-$3 GOFLAGS=-buildvcs=false go install "$2@$3"
}

# go_module <path> <version>: fetches the source of a module once and sets `module` to its folder.
go_module() {
  module=$(go mod download -json "$1@$2" | sed -n 's/^\s*"Dir": "\(.*\)",\?$/\1/p')
  [ -d "$module" ] || { echo "$0: the module $1@$2 cannot be fetched: see go mod download $1@$2" >&2 && exit 1; }
}
