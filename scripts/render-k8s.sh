#!/usr/bin/env bash
# Renders the chart with each set of values of charts/research-data-catalog/environments into a folder, k8s/overlays by default:
# <folder>/<name>/manifests.yaml with a kustomization. Requires Go.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/go-tools.sh
. scripts/kubernetes-versions.sh
go_tool helm helm.sh/helm/v3/cmd/helm "$helm_version" && helm=$tool
folder=${1:-k8s/overlays}

# render <name> <namespace> <environment>...
render() {
  local name=$1 namespace=$2 environment values=()
  shift 2
  for environment; do values+=(--values "charts/research-data-catalog/environments/$environment.yaml"); done
  mkdir -p "$folder/$name"
  {
    echo "# Rendered by scripts/render-k8s.sh from charts/research-data-catalog (environments: $*). Change the chart instead."
    "$helm" template research-data charts/research-data-catalog --namespace "$namespace" \
      --kube-version "$kubernetes_version" "${values[@]}"
  } > "$folder/$name/manifests.yaml"
  cat > "$folder/$name/kustomization.yaml" << END
# For \`kubectl apply -k\`, and as a base of your own kustomization. Written by scripts/render-k8s.sh.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [manifests.yaml]
END
}

render dev research-data-dev dev
render production research-data production
render production-s3 research-data production bucket
render optional research-data production bucket optional
