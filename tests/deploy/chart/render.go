// SPDX-License-Identifier: Apache-2.0

// render.go - renders templates as Helm and prometheus-adapter do, with the library of Go that both use
// and sprig's functions, those that Helm has. What Helm adds (include, tpl, toYaml, lookup ...) is
// refused as unknown, and so is a value that is not there.
//
//	render chart FOLDER < cases     cases and results: [{Values, Release, Chart}], [{template: text}]
//	render query < cases            cases and results: [{Template, Series, LabelMatchers, GroupBy}], [text]
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

// functions are sprig's without the two that read the environment, which Helm leaves out.
func functions() template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	return all
}

// parse returns the templates of a chart, and the names of those that are written: not of those that begin
// with an underscore, which only define names.
func parse(folder string) (*template.Template, []string, error) {
	written := []string{}
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return nil, nil, err
	}
	set := template.New("chart").Funcs(functions()).Option("missingkey=error")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		name := filepath.Base(path)
		if _, err := set.New(name).Parse(string(text)); err != nil {
			return nil, nil, err
		}
		if !strings.HasPrefix(name, "_") {
			written = append(written, name)
		}
	}
	return set, written, nil
}

func renderChart(folder string, cases []map[string]interface{}) (interface{}, error) {
	set, written, err := parse(folder)
	if err != nil {
		return nil, err
	}
	results := []map[string]string{}
	for _, values := range cases {
		made := map[string]string{}
		for _, name := range written {
			var text bytes.Buffer
			if err := set.ExecuteTemplate(&text, name, values); err != nil {
				return nil, err
			}
			made[name] = text.String()
		}
		results = append(results, made)
	}
	return results, nil
}

// renderQueries writes queries as prometheus-adapter does, whose templates have marks of their own.
func renderQueries(cases []map[string]interface{}) (interface{}, error) {
	results := []string{}
	for _, one := range cases {
		query, err := template.New("query").Delims("<<", ">>").Option("missingkey=error").Parse(one["Template"].(string))
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := query.Execute(&text, one); err != nil {
			return nil, err
		}
		results = append(results, text.String())
	}
	return results, nil
}

func run() error {
	var cases []map[string]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		return err
	}
	var results interface{}
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "chart":
		results, err = renderChart(os.Args[2], cases)
	case len(os.Args) == 2 && os.Args[1] == "query":
		results, err = renderQueries(cases)
	default:
		err = fmt.Errorf("usage: render chart FOLDER < cases, or render query < cases")
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(results)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
