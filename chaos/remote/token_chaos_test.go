//go:build chaos

package remote

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

const goodPlan = "{at: remote/step, fault: yield}"

// TestChangesNeedTheToken: arm and disarm, and nothing else.
func TestChangesNeedTheToken(t *testing.T) {
	const token = "0123456789abcdefXYZ"
	t.Setenv(tokenEnv, token)
	f := faults(t)
	for _, c := range []struct {
		name   string
		values []string // of Authorization
		ok     bool
	}{
		{"the token", []string{"Bearer " + token}, true},
		{"the scheme in lower case", []string{"bearer " + token}, true},
		{"none", nil, false},
		{"an empty one", []string{""}, false},
		{"no scheme", []string{token}, false},
		{"no token", []string{"Bearer"}, false},
		{"an empty token", []string{"Bearer "}, false},
		{"another token", []string{"Bearer 0123456789abcdefXYz"}, false},
		{"a short token", []string{"Bearer " + token[:len(token)-1]}, false},
		{"a long token", []string{"Bearer " + token + "0"}, false},
		{"another scheme", []string{"Basic " + token}, false},
		{"a space more", []string{"Bearer  " + token}, false},
		{"two headers", []string{"Bearer " + token, "Bearer " + token}, false},
	} {
		change := func(r *http.Request) {
			r.Header.Del("Authorization")
			for _, v := range c.values {
				r.Header.Add("Authorization", v)
			}
		}
		for _, path := range []string{"/arm", "/arm?replace=true", "/disarm"} {
			code, v := ask(t, f, http.MethodPost, path, goodPlan, change)
			armed := f.Status().Armed
			if !c.ok && (code != http.StatusUnauthorized || armed || strings.Contains(v["error"].(string), token)) ||
				c.ok && (code != http.StatusOK || armed != (path != "/disarm")) {
				t.Errorf("%s, %s: %d %v, armed: %t", c.name, path, code, v, armed)
			}
			if path == "/arm" {
				f.Disarm()
			}
		}
		for _, path := range []string{"/points", "/status"} {
			if code, v := ask(t, f, http.MethodGet, path, "", change); code != http.StatusOK {
				t.Errorf("%s, %s: %d %v", c.name, path, code, v)
			}
		}
	}
}

// TestSilentProxyChangesNothing: a reverse proxy on the same machine that sets no known header,
// and names a loopback address as the host.
func TestSilentProxyChangesNothing(t *testing.T) {
	f := faults(t)
	service := httptest.NewServer(f)
	defer service.Close()
	target, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	defer front.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for path, want := range map[string]int{"/arm": http.StatusUnauthorized, "/disarm": http.StatusUnauthorized} {
		response, err := client.Post(front.URL+path, ContentType, strings.NewReader(goodPlan))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want || response.Header.Get("WWW-Authenticate") != "Bearer" || f.Status().Armed {
			t.Errorf("%s: %s, armed: %t", path, response.Status, f.Status().Armed)
		}
	}
}

// TestTokenIsDrawn: each Faults has its own, which Enable logs once.
func TestTokenIsDrawn(t *testing.T) {
	t.Setenv(tokenEnv, "")
	f, other := faults(t), faults(t)
	var errs strings.Builder
	if code := f.enable(&errs); code != 0 || strings.Count(errs.String(), "\n") != 1 ||
		!strings.HasSuffix(errs.String(), "Authorization: Bearer "+f.Token()+"\n") {
		t.Errorf("exit code %d, %s", code, &errs)
	}
	if checkToken(f.Token()) != nil || f.Token() == other.Token() {
		t.Errorf("the tokens are %q and %q", f.Token(), other.Token())
	}
	if code, v := ask(t, f, http.MethodPost, "/arm", goodPlan); code != http.StatusOK {
		t.Errorf("with the token: %d %v", code, v)
	}
	errs.Reset()
	if code := faults(t, WithToken("0123456789abcdef")).enable(&errs); code != 0 || errs.Len() > 0 {
		t.Errorf("with a token of the program's: exit code %d, %s", code, &errs)
	}
}

// TestBadTokens: a service that was given none that protects does not start, and nothing can be
// changed in one that starts by itself.
func TestBadTokens(t *testing.T) {
	for token, want := range map[string]string{
		"secret":               "chaos: $CHAOS_TOKEN: found 6 characters, want at least 16\n",
		"0123456789 abcdef":    "chaos: $CHAOS_TOKEN: found a character that a header cannot hold, want visible ASCII without spaces\n",
		"0123456789abcdéf":     "chaos: $CHAOS_TOKEN: found a character that a header cannot hold, want visible ASCII without spaces\n",
		"0123456789abcdefgh\n": "chaos: $CHAOS_TOKEN: found a character that a header cannot hold, want visible ASCII without spaces\n",
	} {
		t.Setenv(tokenEnv, token)
		t.Setenv(planEnv, goodPlan)
		f := faults(t)
		var errs strings.Builder
		if code := f.enable(&errs); code != 2 || errs.String() != want || f.Status().Armed {
			t.Errorf("%q: exit code %d, %swant 2, %s", token, code, &errs, want)
		}
		if code, v := ask(t, f, http.MethodPost, "/arm", goodPlan); code != http.StatusForbidden || f.Status().Armed {
			t.Errorf("%q: %d %v", token, code, v)
		}
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.HasPrefix(said, "remote: WithToken: found ") {
					t.Errorf("WithToken(%q) panics with %q", token, said)
				}
			}()
			WithToken(token)
		}()
	}
}
