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
	"strconv"
	"strings"
	"time"
)

const attempts, patience = 4, 30 * time.Second

// ask sends GET, or POST where there is a body, and again where the service is overloaded, after
// the time that it asks for. Any other answer but 200 is an error with the service's problem.
func ask(target, kind string, body []byte) ([]byte, error) {
	base, client := os.Getenv("POSENC_URL"), &http.Client{Timeout: patience}
	if base == "" {
		base = "http://localhost:8080"
	}
	send := func() (*http.Response, error) { return client.Get(base + target) }
	if body != nil {
		send = func() (*http.Response, error) {
			return client.Post(base+target, kind, bytes.NewReader(body))
		}
	}
	for attempt := 1; ; attempt++ {
		answer, err := send()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode == http.StatusOK {
			return content, err
		}
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		wait := time.Duration(seconds) * time.Second
		if answer.StatusCode != http.StatusServiceUnavailable || attempt == attempts || wait > patience {
			return nil, fmt.Errorf("%s", content)
		}
		time.Sleep(wait)
	}
}

// numbers asks for a tensor of float32, which format=raw answers in little-endian bytes, C order.
func numbers(target string, body []byte) []float32 {
	content := must(ask(target+"&dtype=f32&format=raw", "application/octet-stream", body))
	table := make([]float32, len(content)/4)
	must(nil, binary.Read(bytes.NewReader(content), binary.LittleEndian, table))
	return table
}

// rotate turns rows of width dim by their positions.
func rotate(rows []float32, dim int) []float32 {
	var body bytes.Buffer
	must(nil, binary.Write(&body, binary.LittleEndian, rows))
	query := fmt.Sprintf("pos=0:%d&shape=%[1]d,%d&in_dtype=f32", len(rows)/dim, dim)
	return numbers("/v1/rope/apply?"+query, body.Bytes())
}

// must ends the program where there is an error.
func must(content []byte, err error) []byte {
	if err != nil {
		fmt.Fprintln(os.Stderr, "posenc:", err)
		os.Exit(1)
	}
	return content
}

func main() {
	show := func(name string, table []float32) { fmt.Println(name, strings.Trim(fmt.Sprint(table), "[]")) }
	if len(os.Args) > 1 {
		show("numbers", numbers(os.Args[1], nil))
		return
	}
	show("row", numbers("/v1/sinusoidal?dim=8&pos=3", nil))
	show("table", numbers("/v1/rope?dim=8&pos=0:4&out=cos", nil))
	show("q", rotate([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 4))
	show("k", rotate([]float32{1, 0, 0, 1, 0, 1, 1, 0}, 4))
	must(nil, os.WriteFile("alibi.png", must(ask("/v1/alibi?heads=8&len=64&format=png", "", nil)), 0o644))
	config := []byte(`{"model_type":"llama","head_dim":8,"rope_theta":500000}`)
	var model struct{ Uses []struct{ Urls []string } }
	must(nil, json.Unmarshal(must(ask("/v1/models/resolve", "application/json", config)), &model))
	show("config", numbers(model.Uses[0].Urls[0]+"&out=cos", nil))
}
