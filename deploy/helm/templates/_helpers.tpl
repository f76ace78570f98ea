{{- define "hearth.labels" -}}
app.kubernetes.io/name: hearth
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hearth.secret" -}}
{{ .Values.existingSecret | default (printf "%s-hearth" .Release.Name) }}
{{- end }}
