// SPDX-License-Identifier: Apache-2.0

// posenc.go - a client of posencd to copy: tables, rotated vectors and pictures as Go slices.
//
//	go build posenc.go && POSENC_URL=http://localhost:8080 ./posenc
//	./posenc '/v1/rope?dim=8&pos=0:4&out=cos'      prints the numbers of any such URL
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// ask sends GET, or POST where there is a body. An answer that is no success is an error with
// the service's problem.
func ask(target, kind string, body []byte) ([]byte, error) {
	base := os.Getenv("POSENC_URL")
	if base == "" {
		base = "http://localhost:8080"
	}
	method := map[bool]string{false: "GET", true: "POST"}[body != nil]
	request, err := http.NewRequest(method, base+target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", kind)
	answer, err := (&http.Client{Timeout: 30 * time.Second}).Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s", content)
	}
	return content, err
}

// numbers asks for a tensor of float32, which format=raw answers in little-endian bytes.
func numbers(target, kind string, body []byte) ([]float32, error) {
	content, err := ask(target+"&dtype=f32&format=raw", kind, body)
	if err != nil {
		return nil, err
	}
	table := make([]float32, len(content)/4)
	return table, binary.Read(bytes.NewReader(content), binary.LittleEndian, table)
}

// rotate turns rows of width dim by their positions.
func rotate(rows []float32, dim int) ([]float32, error) {
	var body bytes.Buffer
	_ = binary.Write(&body, binary.LittleEndian, rows) // a buffer takes every write
	count := len(rows) / dim
	target := fmt.Sprintf("/v1/rope/apply?pos=0:%d&shape=%d,%d&in_dtype=f32", count, count, dim)
	return numbers(target, "application/octet-stream", body.Bytes())
}

// show prints a name and its numbers, or ends the program with an error.
func show(name string, table []float32, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "posenc:", err)
		os.Exit(1)
	}
	fmt.Println(name, strings.Trim(fmt.Sprint(table), "[]"))
}

func main() {
	get := func(name, target string) {
		table, err := numbers(target, "", nil)
		show(name, table, err)
	}
	if len(os.Args) > 1 {
		get("numbers", os.Args[1])
		os.Exit(0)
	}
	get("row", "/v1/sinusoidal?dim=8&pos=3")
	get("table", "/v1/rope?dim=8&pos=0:4&out=cos")
	q, err := rotate([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 4)
	show("q", q, err)
	k, err := rotate([]float32{1, 0, 0, 1, 0, 1, 1, 0}, 4)
	show("k", k, err)
	picture, err := ask("/v1/alibi?heads=8&len=64&format=png", "", nil)
	show("picture", nil, err)
	show("alibi.png", nil, os.WriteFile("alibi.png", picture, 0o644))
	config := []byte(`{"model_type":"llama","head_dim":8,"rope_theta":500000}`)
	resolved, err := ask("/v1/models/resolve", "application/json", config)
	show("resolve", nil, err)
	var model struct{ Uses []struct{ Urls []string } }
	show("model", nil, json.Unmarshal(resolved, &model))
	get("config", model.Uses[0].Urls[0]+"&out=cos")
}
