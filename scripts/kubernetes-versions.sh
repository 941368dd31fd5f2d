# Sourced by the scripts that render and check the manifests: the versions of Kubernetes, Helm and custom resources.
kubernetes_version=v1.36.3
helm_version=v3.22.0
keda_version=v2.21.0
external_secrets_version=v1.3.2
gateway_version=v1.6.3
prometheus_operator_version=v0.85.0
