package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
)

// ContentType is required of a request that changes something. No form of a web page has it, so
// that a browser sends a preflight request, which is not granted.
const ContentType = "application/x-chaos-plan"

const maxPlan = 1 << 20 // bytes of one

// ServeHTTP answers GET /points, GET /status, POST /arm with a plan as the body, and POST
// /disarm; see the package documentation. Mount it with http.StripPrefix elsewhere than
// at the root.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if why := f.refuse(r); why != "" {
		answerError(w, http.StatusForbidden, why)
		return
	}
	if !hooks.Enabled {
		answerError(w, http.StatusNotImplemented, native.ErrNotChaos.Error())
		return
	}
	routes := map[string]struct {
		method string
		serve  func(http.ResponseWriter, *http.Request)
	}{
		"/points": {http.MethodGet, f.servePoints},
		"/status": {http.MethodGet, f.serveStatus},
		"/arm":    {http.MethodPost, f.serveArm},
		"/disarm": {http.MethodPost, f.serveDisarm},
	}
	route, ok := routes[r.URL.Path]
	switch {
	case !ok:
		answerError(w, http.StatusNotFound, fmt.Sprintf("unknown path %q; %s", clip(r.URL.Path),
			nearest.Hint(r.URL.Path, []string{"/points", "/status", "/arm", "/disarm"})))
		return
	case r.Method != route.method:
		w.Header().Set("Allow", route.method)
		answerError(w, http.StatusMethodNotAllowed, fmt.Sprintf("%s: found %s, want %s", r.URL.Path, clip(r.Method), route.method))
		return
	}
	if route.method == http.MethodPost {
		if code, why := f.authorize(r); why != "" {
			if code == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			answerError(w, code, why)
			return
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != ContentType {
			answerError(w, http.StatusUnsupportedMediaType, fmt.Sprintf("the content type is %q, want %s", clip(r.Header.Get("Content-Type")), ContentType))
			return
		}
	}
	route.serve(w, r)
}

// direct are the headers that clients send: curl and Go's client (RFC 9110 and RFC 9111), browsers (the Fetch
// standard, Fetch Metadata, Client Hints of user agents, Global Privacy Control and RFC 9218), curl --http2 (RFC 7540,
// 3.2.1), and clients that trace (W3C Trace Context and Baggage). A proxy adds others, by which it says where a request
// comes from, and each has its own names for them, so that these are whole names: Sec-Forwarded-For is no client's.
var direct = map[string]bool{
	"Accept": true, "Accept-Charset": true, "Accept-Encoding": true, "Accept-Language": true, "Authorization": true,
	"Cache-Control": true, "Connection": true, "Content-Encoding": true, "Content-Length": true, "Content-Type": true,
	"Cookie": true, "Expect": true, "If-Match": true, "If-Modified-Since": true, "If-None-Match": true, "If-Range": true,
	"If-Unmodified-Since": true, "Keep-Alive": true, "Origin": true, "Pragma": true, "Range": true, "Referer": true,
	"Te": true, "Transfer-Encoding": true, "Upgrade": true, "User-Agent": true,

	"Dnt": true, "Priority": true, "Sec-Fetch-Dest": true, "Sec-Fetch-Mode": true, "Sec-Fetch-Site": true,
	"Sec-Fetch-Storage-Access": true, "Sec-Fetch-User": true, "Sec-Gpc": true, "Sec-Purpose": true, "Upgrade-Insecure-Requests": true,

	"Sec-Ch-Ua": true, "Sec-Ch-Ua-Arch": true, "Sec-Ch-Ua-Bitness": true, "Sec-Ch-Ua-Form-Factors": true,
	"Sec-Ch-Ua-Full-Version": true, "Sec-Ch-Ua-Full-Version-List": true, "Sec-Ch-Ua-Mobile": true, "Sec-Ch-Ua-Model": true,
	"Sec-Ch-Ua-Platform": true, "Sec-Ch-Ua-Platform-Version": true, "Sec-Ch-Ua-Wow64": true,
	"Sec-Ch-Prefers-Color-Scheme": true, "Sec-Ch-Prefers-Reduced-Motion": true, "Sec-Ch-Prefers-Reduced-Transparency": true,

	"Http2-Settings": true, "Baggage": true, "Traceparent": true, "Tracestate": true,
}

// forwarding returns a header that is not in direct, or "".
func forwarding(h http.Header) string {
	var others []string
	for name := range h {
		if !direct[name] {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return slices.Min(others)
}

// refuse returns why the request is not answered, "" if it is.
func (f *Faults) refuse(r *http.Request) string {
	host := hostOf(r.Host)
	if origin := r.Header.Get("Origin"); origin != "" && !slices.Contains([]string{"http://" + r.Host, "https://" + r.Host}, origin) {
		return "the request is from a page of another origin"
	}
	if f.remote {
		if !isLoopback(host) && !slices.ContainsFunc(f.hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
			return fmt.Sprintf("the host %q is not one of those that WithRemote names", clip(host))
		}
		return ""
	}
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if ip := net.ParseIP(address); err != nil || ip == nil || !ip.IsLoopback() {
		return "the request is not from a loopback address"
	}
	if name := forwarding(r.Header); name != "" {
		return "the request may come by a proxy: it has the header " + clip(name)
	}
	if !isLoopback(host) {
		return fmt.Sprintf("the host %q is neither a loopback address nor localhost", clip(host))
	}
	return ""
}

// hostOf returns the name or address in a Host header.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func (f *Faults) servePoints(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, struct {
		Schema int         `json:"schema"`
		Kind   string      `json:"kind"`
		Points []pointInfo `json:"points"`
	}{schema, "chaos-points", points()})
}

func (f *Faults) serveStatus(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, f.Status())
}

func (f *Faults) serveArm(w http.ResponseWriter, r *http.Request) {
	replace := r.URL.Query().Get("replace")
	if replace != "" && replace != "true" {
		answerError(w, http.StatusBadRequest, fmt.Sprintf("replace: found %q, want true", clip(replace)))
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPlan))
	if err != nil {
		answerError(w, http.StatusBadRequest, "plan: cannot be read: "+err.Error())
		return
	}
	switch err := f.Arm("plan", string(text), replace != ""); {
	case errors.Is(err, ErrArmed), errors.Is(err, native.ErrArmed):
		answerError(w, http.StatusConflict, err.Error())
	case err != nil:
		answerError(w, http.StatusBadRequest, err.Error())
	default:
		answer(w, http.StatusOK, f.Status())
	}
}

func (f *Faults) serveDisarm(w http.ResponseWriter, _ *http.Request) {
	f.Disarm()
	answer(w, http.StatusOK, f.Status())
}

func answer(w http.ResponseWriter, code int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers can be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(append(text, '\n')) //nolint:errcheck // the client has gone
}

func answerError(w http.ResponseWriter, code int, problem string) {
	answer(w, code, struct {
		Schema int    `json:"schema"`
		Kind   string `json:"kind"`
		Error  string `json:"error"`
	}{schema, "chaos-error", problem})
}

// clip shortens a text of the client, for a message.
func clip(s string) string { return nearest.Clip(s) }

// Listen listens on a loopback address: "127.0.0.1:6060", "[::1]:6060", "localhost:6060",
// or ":6060", which is 127.0.0.1 here. Any other is refused without WithRemote.
func (f *Faults) Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("remote: listen: %w", err)
	}
	switch ip := net.ParseIP(host); {
	case f.remote:
		return net.Listen("tcp", address)
	case host == "", host == "localhost": // by number: a name could lead elsewhere
		host = "127.0.0.1"
	case ip == nil || !ip.IsLoopback():
		return nil, fmt.Errorf("remote: listen: found %q, want a loopback address such as 127.0.0.1:%s, or WithRemote", clip(address), port)
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// Serve answers requests that come to the listener until ctx is done, and closes it. It
// returns nil then, or an error if it could not continue. An armed plan stays armed.
func (f *Faults) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: f, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
