# Sourced after go-tools.sh: sets `definitions` to the files of the custom resource definitions that the chart uses.
. scripts/kubernetes-versions.sh
go_module github.com/kedacore/keda/v2 "$keda_version" && keda=$module
go_module github.com/external-secrets/external-secrets "$external_secrets_version" && external_secrets=$module
go_module sigs.k8s.io/gateway-api "$gateway_version" && gateway=$module
go_module github.com/prometheus-operator/prometheus-operator "$prometheus_operator_version" && prometheus_operator=$module
definitions=(
  "$keda/config/crd/bases/keda.sh_scaledobjects.yaml"
  "$external_secrets/config/crds/bases/external-secrets.io_externalsecrets.yaml"
  "$gateway/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"
  "$prometheus_operator/example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml"
  "$prometheus_operator/example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml"
)
