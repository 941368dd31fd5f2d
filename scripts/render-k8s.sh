#!/usr/bin/env bash
# Renders every overlay of k8s/, and every component on the base alone, into a folder: overlays-<name>.yaml and
# components-<name>.yaml. Requires Go.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/go-tools.sh
go_tool kustomize sigs.k8s.io/kustomize/kustomize/v5 v5.8.1 && kustomize=$tool
rendered=$1

for overlay in k8s/overlays/*/; do
  "$kustomize" build "$overlay" > "$rendered/overlays-$(basename "$overlay").yaml"
done

# Paths in a kustomization are relative to its folder.
base=$(realpath --relative-to="$rendered" k8s)
for component in k8s/components/*/; do
  name=$(basename "$component")
  mkdir "$rendered/$name"
  cat > "$rendered/$name/kustomization.yaml" << END
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: research-data
resources: [../$base/base]
components: [../$base/components/$name]
images:
  - { name: rdc/catalog-api, newTag: 0.1.0 }
  - { name: rdc/provisioner, newTag: 0.1.0 }
END
  "$kustomize" build "$rendered/$name" > "$rendered/components-$name.yaml"
done
