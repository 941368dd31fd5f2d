#!/usr/bin/env bash
# Checks with a real kube-apiserver that it accepts every rendering of the chart in k8s/ (`--dry-run=server`): with its defaulting, its
# validation, Pod Security and the custom resources' definitions. Run by hand: building the server takes minutes.
# Requires Go, Node and etcd (Debian: etcd-server). Both servers listen on 127.0.0.1 and end with the script.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH # the Node of this repository
. scripts/go-tools.sh
. scripts/kubernetes-definitions.sh
kubernetes_version=${kubernetes_version#v}

# The programs of Kubernetes require a module that lists the modules of its parts, because upstream they are one tree.
programs=$tools/kubernetes-$kubernetes_version
build_programs() {
  local source=$programs.src
  mkdir -p "$source"
  go_module k8s.io/kubernetes "v$kubernetes_version"
  (
    cd "$source"
    printf 'module local\n\nrequire k8s.io/kubernetes v%s\n' "$kubernetes_version" > go.mod
    sed -n 's|^\s*\(k8s.io/[a-z-]*\) v0\.0\.0\( .*\)\{0,1\}$|\1|p' "$module/go.mod" | sort -u |
      while read -r part; do echo "replace $part => $part v0.${kubernetes_version#*.}"; done >> go.mod
    printf 'package main\n\nimport (\n\t_ "k8s.io/kubernetes/cmd/kube-apiserver/app"\n\t_ "k8s.io/kubectl/pkg/cmd"\n)\n' > parts.go
    go mod tidy
    go build -ldflags "-X k8s.io/component-base/version.gitVersion=v$kubernetes_version" -o "$programs.new/" \
      k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kubectl
  )
  mv "$programs.new" "$programs"
}
[ -d "$programs" ] || build_programs

work=$(mktemp -d)
started=()
stop() {
  # The servers are killed, because their state is not needed and the API server would wait for the stopped etcd.
  [ ${#started[@]} -eq 0 ] || kill -KILL "${started[@]}" 2> /dev/null || true
  wait "${started[@]}" 2> /dev/null || true
  rm -rf "$work"
}
trap stop EXIT

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}
etcd_port=$(free_port) peer_port=$(free_port) api_port=$(free_port)
etcd --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
  --listen-peer-urls "http://127.0.0.1:$peer_port" --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
  --initial-cluster "default=http://127.0.0.1:$peer_port" > "$work/etcd.log" 2>&1 &
started+=($!)
openssl genrsa -out "$work/service-accounts.pem" 2048 2> /dev/null
token=$(openssl rand -hex 16)
echo "$token,admin,admin,system:masters" > "$work/tokens.csv"
"$programs/kube-apiserver" --etcd-servers "http://127.0.0.1:$etcd_port" --cert-dir "$work/certificates" \
  --bind-address 127.0.0.1 --advertise-address 127.0.0.1 --secure-port "$api_port" --token-auth-file "$work/tokens.csv" \
  --service-cluster-ip-range 10.96.0.0/16 --service-account-issuer https://dry-run.invalid \
  --service-account-signing-key-file "$work/service-accounts.pem" --service-account-key-file "$work/service-accounts.pem" \
  --disable-admission-plugins ServiceAccount > "$work/apiserver.log" 2>&1 &
started+=($!)
kubectl() {
  KUBECONFIG=/dev/null "$programs/kubectl" --server "https://127.0.0.1:$api_port" --insecure-skip-tls-verify --token "$token" "$@"
}
until kubectl get --raw /readyz > /dev/null 2>&1; do
  kill -0 "${started[@]}" || { tail -5 "$work"/*.log >&2 && exit 1; }
  read -rt 0.5 <> <(:) || true
done
kubectl version

for definition in "${definitions[@]}"; do kubectl create --filename "$definition"; done
kubectl wait --for condition=Established customresourcedefinitions --all
for file in k8s/overlays/*/manifests.yaml; do
  # Objects to which other objects refer must exist, even in a dry run.
  node -e 'const { parseAllDocuments } = require("yaml"), { readFileSync } = require("fs");
    const kinds = ["Namespace", "PriorityClass"];
    for (const document of parseAllDocuments(readFileSync(process.argv[1], "utf8")))
      if (kinds.includes(document.get("kind"))) console.log("---\n" + document.toString());' "$file" |
    kubectl apply --filename -
  echo "$file"
  kubectl apply --dry-run=server --validate=strict --filename "$file"
done
