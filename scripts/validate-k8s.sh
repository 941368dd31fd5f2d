#!/usr/bin/env bash
# Checks the chart: its values and their table, that k8s/ is rendered from it, that refused values are refused, and the objects:
# against the schemas of Kubernetes and of the custom resources, and against kube-score's rules (a critical finding fails).
# Requires Go and Node. No cluster is involved.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH # the Node of this repository
. scripts/go-tools.sh
. scripts/kubernetes-versions.sh
chart=charts/research-data-catalog
environments=$chart/environments

node scripts/chart-values.ts --check

go_tool helm helm.sh/helm/v3/cmd/helm "$helm_version" && helm=$tool
go_tool kubeconform github.com/yannh/kubeconform/cmd/kubeconform v0.8.0 && kubeconform=$tool
go_tool kube-score github.com/zegl/kube-score/cmd/kube-score v1.20.0 && kube_score=$tool

schemas=$tools/kubernetes-schemas-$(sha256sum scripts/kubernetes-versions.sh scripts/kubernetes-schemas.ts | sha256sum | cut -c1-12)
if [ ! -d "$schemas" ]; then
  . scripts/kubernetes-definitions.sh
  go_module k8s.io/kubernetes "$kubernetes_version" && kubernetes=$module
  rm -rf "$schemas.new"
  node scripts/kubernetes-schemas.ts "$schemas.new" "$kubernetes/api/openapi-spec/swagger.json" "${definitions[@]}"
  mv "$schemas.new" "$schemas"
fi

for name in dev production; do
  "$helm" lint --strict --quiet --kube-version "$kubernetes_version" --values "$environments/$name.yaml" "$chart"
done

# refuses <text of the error> <option>...: checks that the chart refuses a change of the production values.
refuses() {
  local text=$1 output
  shift
  if output=$("$helm" template x "$chart" --kube-version "$kubernetes_version" --values "$environments/production.yaml" "$@" 2>&1); then
    echo "the chart accepted $*" >&2
    return 1
  fi
  grep -q -- "$text" <<< "$output" || { echo "the chart refused $*: $output" >&2 && return 1; }
}
refuses 'origin.url is missing' --set origin.url=
refuses 'origin.trustedProxies is missing' --set origin.trustedProxies=
refuses 'origin.from is missing' --set-json origin.from=[]
refuses 'origin.gateway.parentRefs is missing' --set origin.gateway.enabled=true
refuses 'network.database is missing' --set-json network.database=[]
refuses 'storage.bucket.url is missing' --set storage.volume.enabled=false
refuses 'storage.bucket.url has no effect' --set storage.bucket.url=s3://data
refuses 'autoscaling.worker.redisAddress is missing' --set autoscaling.worker.redisAddress=
refuses 'monitoring.documentation is missing' --set monitoring.documentation=
refuses 'secrets.values has no effect' --set secrets.values.catalog-api.GLOBAL_API_KEY=public
refuses 'unknown' --set unknown=1
refuses databasePort --set network.databasePort=0

rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT
scripts/render-k8s.sh "$rendered"
diff -ru k8s/overlays "$rendered" || { echo 'k8s/ is not rendered from the chart: run scripts/render-k8s.sh' >&2 && exit 1; }

mkdir "$rendered/in-cluster"
{
  "$helm" template x "$chart" --kube-version "$kubernetes_version" --namespace research-data \
    --values "$environments/production.yaml" --values "$environments/in-cluster.yaml"
  for file in "$chart"/examples/*.yaml; do echo ---; cat "$file"; done
} > "$rendered/in-cluster/manifests.yaml"

for file in "$rendered"/*/manifests.yaml; do
  name=$(basename "$(dirname "$file")")
  echo "$name"
  # The definition of CloudNativePG's Cluster is in no registry of modules.
  "$kubeconform" -strict -summary -skip postgresql.cnpg.io/v1/Cluster \
    -schema-location "$schemas/{{.ResourceKind}}{{.KindSuffix}}.json" "$file"
  # Two rules are ignored. CPU limits slow a service down while cores are idle. Topology constraints replace anti-affinity.
  # The development values name images that are in no registry.
  if [ "$name" != dev ]; then
    ignored=(deployment-has-host-podantiaffinity)
    [ "$name" != in-cluster ] || ignored+=(networkpolicy-targets-pod) # the pods of CloudNativePG are created by its operator
    "$kube_score" score --ignore-container-cpu-limit "${ignored[@]/#/--ignore-test=}" \
      --output-format ci "$file" | grep -v '^\[OK\]\|^\[SKIPPED\]' || [ "${PIPESTATUS[0]}" = 0 ]
  fi
done
