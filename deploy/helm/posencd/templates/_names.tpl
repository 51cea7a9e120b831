{{- /* The name of the release, with the chart's name in it; the longest name made of it has 63 bytes at most. */ -}}
{{- define "posencd.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 42 | trimSuffix "-") .Chart.Name -}}
{{- end -}}
{{- end -}}
