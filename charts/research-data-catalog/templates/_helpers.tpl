{{- define "rdc.labels" -}}
app.kubernetes.io/name: {{ . }}
app.kubernetes.io/part-of: research-data-catalog
{{- end }}

{{- define "rdc.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  app.kubernetes.io/part-of: research-data-catalog
  {{- with .of }}
  app.kubernetes.io/name: {{ . }}
  {{- end }}
{{- end }}

{{- define "rdc.selector" -}}
matchLabels: { app.kubernetes.io/name: {{ . }} }
{{- end }}

{{/* Selects pods by a list of names. */}}
{{- define "rdc.selectorOfAny" -}}
{{- if eq (len .) 1 -}}
{{ include "rdc.selector" (index . 0) }}
{{- else -}}
matchExpressions:
  - { key: app.kubernetes.io/name, operator: In, values: [{{ join ", " . }}] }
{{- end -}}
{{- end }}

{{- define "rdc.image" -}}
{{- $image := index .root.Values.images .of -}}
{{- $name := $image.repository -}}
{{- with .root.Values.images.registry }}{{ $name = printf "%s/%s" . $name }}{{ end -}}
{{- if $image.digest -}}
{{ $name }}@{{ $image.digest }}
{{- else -}}
{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* What restricted Pod Security requires of a pod, and a user without a name in the image. */}}
{{- define "rdc.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user | default 10001 }}
  runAsGroup: {{ .user | default 10001 }}
  {{- if .ownsVolumes }}
  fsGroup: {{ .user | default 10001 }}
  {{- end }}
  {{- if eq (.ownsVolumes | default false | toString) "onRootMismatch" }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "rdc.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsUser: {{ . }}
  runAsGroup: {{ . }}
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "rdc.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Spreads the pods of a deployment over nodes and zones. */}}
{{- define "rdc.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { {{ include "rdc.selector" . }} }
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { {{ include "rdc.selector" . }} }
{{- end }}

{{/* A change of settings replaces the pods. Secrets that the chart does not write need `kubectl rollout restart`. */}}
{{- define "rdc.podAnnotations" -}}
checksum/settings: {{ include (printf "rdc.%s.settings" .settings) .root | sha256sum }}
{{- if eq .root.Values.secrets.from "values" }}
checksum/secrets: {{ .root.Values.secrets.values | toJson | sha256sum }}
{{- end }}
{{- if eq .root.Values.monitoring.scrape "annotations" }}
prometheus.io/scrape: 'true'
prometheus.io/path: /metrics
prometheus.io/port: '3000'
{{- end }}
{{- end }}

{{- define "rdc.server" -}}
ports:
  - { name: http, containerPort: 3000 }
startupProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 1
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
livenessProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "rdc.host" -}}
{{- get (urlParse .Values.origin.url) "hostname" -}}
{{- end }}

{{/* The settings that both services share. */}}
{{- define "rdc.sharedSettings" -}}
{{- with .Values.origin.trustedProxies }}
TRUSTED_PROXIES: {{ . | quote }}
{{- end }}
{{- with .Values.traces.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "rdc.catalogApi.settings" -}}
{{- $given := merge (dict) .Values.catalogApi.settings -}}
{{- $shared := include "rdc.sharedSettings" . | fromYaml -}}
{{- toYaml (merge $given $shared (dict "SERVER_URL" .Values.origin.url)) -}}
{{- end }}

{{- define "rdc.provisioner.settings" -}}
{{- $made := include "rdc.sharedSettings" . | fromYaml -}}
{{- range $name, $prefix := dict "storage" "STORAGE" "source" "SOURCE" -}}
  {{- $place := index $.Values $name -}}
  {{- if $place.volume.enabled -}}
    {{- $_ := set $made (printf "%s_URL" $prefix) (printf "file:///%s" $name) -}}
  {{- else -}}
    {{- $_ := set $made (printf "%s_URL" $prefix) $place.bucket.url -}}
    {{- $_ := set $made (printf "%s_S3_ENDPOINT" $prefix) $place.bucket.endpoint -}}
    {{- $_ := set $made (printf "%s_S3_REGION" $prefix) $place.bucket.region -}}
  {{- end -}}
{{- end -}}
{{- toYaml (merge (dict) .Values.provisioner.settings $made) -}}
{{- end }}

{{/* The path of every route, with its service. `Exact` matches only the path itself. */}}
{{- define "rdc.routes" -}}
- { path: /, type: Exact, service: catalog-api }
- { path: /api, type: Prefix, service: catalog-api }
- { path: /docs, type: Prefix, service: catalog-api }
- { path: /console, type: Prefix, service: catalog-api }
- { path: /schemas, type: Prefix, service: catalog-api }
- { path: /sitemap.xml, type: Exact, service: catalog-api }
- { path: /robots.txt, type: Exact, service: catalog-api }
- { path: /submissions, type: Prefix, service: provisioner }
- { path: /datasets, type: Prefix, service: provisioner }
- { path: /imports, type: Prefix, service: provisioner }
- { path: /admin/queues, type: Prefix, service: provisioner }
- { path: /provisioner/docs, type: Prefix, service: provisioner }
{{- end }}
