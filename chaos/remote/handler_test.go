package remote

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks"
)

// ask sends a request as curl on the same machine would, after change has had its way
// with it.
func ask(t *testing.T, f *Faults, method, path, body string, change ...func(*http.Request)) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:6060"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:40000"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", ContentType)
		r.Header.Set("Authorization", "Bearer "+f.Token())
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	var v map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%s %s: %q: %v", method, path, w.Body, err)
	}
	if v["schema"] != 1.0 || v["kind"] == "" || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s %s: %v, %v", method, path, v, w.Header())
	}
	return w.Code, v
}

// TestStrangersAreRefused: in both builds, and before anything else is looked at.
func TestStrangersAreRefused(t *testing.T) {
	header := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	from := func(address string) func(*http.Request) { return func(r *http.Request) { r.RemoteAddr = address } }
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	local, remote := New(), New(WithRemote("chaos.example", "10.0.0.5"))
	for _, c := range []struct {
		name        string
		change      func(*http.Request)
		here, there bool // refused by one that is local, by one that is not
	}{
		{"loopback", from("127.0.0.2:1"), false, false},
		{"loopback, IPv6", from("[::1]:1"), false, false},
		{"other address", from("10.0.0.7:1"), true, false},
		{"any address", from("0.0.0.0:1"), true, false},
		{"no address", from(""), true, false},
		{"a socket", from("@"), true, false},
		{"a proxy", header("X-Forwarded-For", "127.0.0.1"), true, false},
		{"another proxy", header("Forwarded", "for=127.0.0.1"), true, false},
		{"localhost", host("LOCALHOST:6060"), false, false},
		{"IPv6 host", host("[::1]:6060"), false, false},
		{"IPv6 host without a port", host("[::1]"), false, false},
		{"rebound name", host("evil.example:6060"), true, true},
		{"rebound name that looks like it", host("localhost.evil.example"), true, true},
		{"no host", host(""), true, true},
		{"known name", host("Chaos.Example:80"), true, false},
		{"known address", host("10.0.0.5:80"), true, false},
		{"another origin", header("Origin", "http://evil.example"), true, true},
		{"a file's origin", header("Origin", "null"), true, true},
		{"another port's origin", header("Origin", "http://127.0.0.1:8080"), true, true},
		{"own origin", header("Origin", "http://127.0.0.1:6060"), false, false},
	} {
		for f, want := range map[*Faults]bool{local: c.here, remote: c.there} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				code, v := ask(t, f, method, map[string]string{"GET": "/status", "POST": "/disarm"}[method], "", c.change)
				if (code == http.StatusForbidden) != want {
					t.Errorf("%s, %s, remote %t: %d %v", c.name, method, f.remote, code, v)
				}
			}
		}
	}
}

// Catches: a header by which a proxy says where a request comes from, and a client that is taken for one.
func TestProxiesAreRefused(t *testing.T) {
	for _, name := range []string{
		"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Server", "X-Forwarded-Prefix", "X-Original-Forwarded-For", "X-Original-Host", "X-Real-IP",
		"X-Client-IP", "X-Cluster-Client-IP", "X-ProxyUser-Ip", "X-Envoy-External-Address", "X-Request-Id", "X-Amzn-Trace-Id", "X-Azure-Clientip", "X-Arr-Ssl", "Forwarded", "Via", "Client-IP",
		"True-Client-IP", "CF-Connecting-IP", "CF-Ray", "CDN-Loop", "Fastly-Client-IP", "Fly-Client-IP", "Proxy-Connection", "Remote-Addr", "WL-Proxy-Client-IP", "Ssl-Client-Cert", "x-some-new-one",
		"Accept-Forwarded", "Accept-Client-Ip", "Accept-", "Content-Forwarded", "Content-Real-Ip", "Content-Length-Forwarded", "If-Forwarded", "If-Real-Ip", "If-None-Match-For",
		"Sec-Forwarded-For", "Sec-Fetch-Forwarded", "Sec-Ch-Ua-Ip", "Sec-Ch-Forwarded", "Sec-", "Te-Forwarded", "Range-For", "Traceparent-Ip", "User-Agent-Via", "Upgrade-Via", "Cookie-Ip",
	} {
		if code, v := ask(t, New(), http.MethodGet, "/status", "", func(r *http.Request) { r.Header.Set(name, "10.0.0.1") }); code != http.StatusForbidden {
			t.Errorf("%s: %d %v", name, code, v)
		}
	}
	for _, name := range []string{
		"Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection", "Content-Type", "Content-Length", "Cookie", "DNT", "If-None-Match", "Pragma", "Priority", "Referer",
		"Sec-Fetch-Site", "Sec-Ch-Ua", "sec-ch-ua-platform", "Sec-GPC", "TE", "Traceparent", "Upgrade-Insecure-Requests", "User-Agent", "HTTP2-Settings", "If-Modified-Since",
	} {
		if code, v := ask(t, New(), http.MethodGet, "/status", "", func(r *http.Request) { r.Header.Set(name, "x") }); code == http.StatusForbidden {
			t.Errorf("%s: %d %v", name, code, v)
		}
	}
}

// TestListenOnLoopbackOnly: unless configured otherwise.
func TestListenOnLoopbackOnly(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:0": true, ":0": true, "localhost:0": true,
		"0.0.0.0:0": false, "[::]:0": false, "10.0.0.1:0": false, "example.org:0": false, "6060": false,
	} {
		l, err := New().Listen(address)
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if l != nil {
			if !isLoopback(hostOf(l.Addr().String())) {
				t.Errorf("%s: it listens on %v", address, l.Addr())
			}
			l.Close()
		}
	}
	l, err := New(WithRemote()).Listen("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// TestServe: a real request is answered until the context ends.
func TestServe(t *testing.T) {
	f := New()
	l, err := f.Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- f.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + l.Addr().String() + "/status")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	want := http.StatusOK
	if !hooks.Enabled {
		want = http.StatusNotImplemented
	}
	if err != nil || response.StatusCode != want {
		t.Errorf("%d %s, %v", response.StatusCode, text, err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestBadLifetimes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a default above the maximum is taken")
		}
	}()
	WithTTL(2, 1)
}
