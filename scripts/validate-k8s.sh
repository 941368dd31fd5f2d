#!/usr/bin/env bash
# Renders every overlay and every component of k8s/ and checks it: against the schemas of Kubernetes and of the custom resources we use, and
# against kube-score's rules (a critical finding fails). Requires Go and Node. No cluster is involved.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH # the Node of this repository
. scripts/go-tools.sh
kubernetes_version=v1.36.3
keda_version=v2.21.0
external_secrets_version=v1.3.2

go_tool kubeconform github.com/yannh/kubeconform/cmd/kubeconform v0.8.0 && kubeconform=$tool
go_tool kube-score github.com/zegl/kube-score/cmd/kube-score v1.20.0 && kube_score=$tool

schemas=$tools/kubernetes-schemas-$kubernetes_version-$keda_version-$external_secrets_version
if [ ! -d "$schemas" ]; then
  go_module k8s.io/kubernetes "$kubernetes_version" && kubernetes=$module
  go_module github.com/kedacore/keda/v2 "$keda_version" && keda=$module
  go_module github.com/external-secrets/external-secrets "$external_secrets_version" && external_secrets=$module
  node scripts/kubernetes-schemas.ts "$schemas.new" "$kubernetes/api/openapi-spec/swagger.json" \
    "$keda/config/crd/bases/keda.sh_scaledobjects.yaml" \
    "$external_secrets/config/crds/bases/external-secrets.io_externalsecrets.yaml"
  mv "$schemas.new" "$schemas"
fi

rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT
scripts/render-k8s.sh "$rendered"
for file in "$rendered"/*.yaml; do
  name=$(basename "$file" .yaml)
  echo "k8s/${name/-//}"
  "$kubeconform" -strict -summary -schema-location "$schemas/{{.ResourceKind}}{{.KindSuffix}}.json" "$file"
  # Two rules are ignored. CPU limits slow a service down while cores are idle. Topology constraints replace anti-affinity.
  # The development overlay uses images that are in no registry.
  if [ "$name" != overlays-dev ]; then
    "$kube_score" score --ignore-container-cpu-limit --ignore-test deployment-has-host-podantiaffinity \
      --output-format ci "$file" | grep -v '^\[OK\]\|^\[SKIPPED\]' || [ "${PIPESTATUS[0]}" = 0 ]
  fi
done
