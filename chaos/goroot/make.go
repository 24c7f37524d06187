package goroot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Options say for which Go the overlay is made.
type Options struct {
	Go     string // the go command; "" is go
	Dir    string // where the user's module is, as it may name a toolchain; "" is the current folder
	Race   bool   // the build has -race
	User   string // the file of the user's own -overlay, merged; "" is none
	Cache  string // a folder; "" is rouse/goroot below os.UserCacheDir
	GOOS   string // "" is that of the go command
	GOARCH string
}

// An Overlay is what the go command needs to build a program under control.
type Overlay struct {
	File      string   // for -overlay
	Flags     []string // of go build and go test, -overlay among them
	Env       []string // to add to the environment of the go command
	GoVersion string   // as runtime.Version has it
}

// Make makes the overlay, or finds it in the cache. It fails with a [VersionError] or an
// [AnchorError] if there are no patches for that Go.
func Make(ctx context.Context, o Options) (*Overlay, error) {
	root, version, err := env(ctx, o)
	if err != nil {
		return nil, err
	}
	minor := ""
	for _, v := range Versions {
		if version == "go"+v || strings.HasPrefix(version, "go"+v+".") {
			minor = v
		}
	}
	if minor == "" {
		return nil, &VersionError{Version: version, Root: root}
	}
	texts, err := patched(root, version, minor)
	if err != nil {
		return nil, err
	}
	more, err := additions()
	if err != nil {
		return nil, err
	}
	maps.Copy(texts, more)
	file, err := write(o.Cache, root, version, texts)
	if err != nil {
		return nil, err
	}
	return &Overlay{
		File:      file,
		GoVersion: version,
		// The functions of sync/atomic are calls in the user's code, and intrinsics in the standard library.
		Flags: []string{"-overlay=" + file, "-gcflags=all=-d=ssa/intrinsics/off", "-gcflags=std="},
	}, nil
}

// env returns GOROOT and the version of the go command.
func env(ctx context.Context, o Options) (root, version string, err error) {
	name := o.Go
	if name == "" {
		name = "go"
	}
	cmd := exec.CommandContext(ctx, name, "env", "-json", "GOROOT", "GOVERSION")
	cmd.Dir = o.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("%s env: %w\n%s", name, err, bytes.TrimSpace(stderr.Bytes()))
	}
	var answer struct{ GOROOT, GOVERSION string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", "", fmt.Errorf("%s env: %w", name, err)
	}
	return answer.GOROOT, answer.GOVERSION, nil
}

// write writes the files of the overlay to a folder of the cache that is named by their content.
func write(cache, root, version string, texts map[string]string) (overlay string, err error) {
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(dir, "rouse", "goroot")
	}
	if cache, err = filepath.Abs(cache); err != nil {
		return "", err
	}
	hash := sha256.New()
	io.WriteString(hash, root) //nolint:errcheck // a hash does not fail
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(hash, "%s %d\n%s", name, len(texts[name]), texts[name])
	}
	dir := filepath.Join(cache, fmt.Sprintf("%s-%x", version, hash.Sum(nil)[:8]))
	overlay = filepath.Join(dir, "overlay.json")
	if _, err := os.Stat(overlay); err == nil {
		return overlay, nil
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(cache, "tmp")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // it is renamed
	table := map[string]string{}
	for name, text := range texts {
		base := filepath.FromSlash(name)
		if err := os.MkdirAll(filepath.Join(tmp, filepath.Dir(base)), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(tmp, base), []byte(text), 0o666); err != nil {
			return "", err
		}
		table[filepath.Join(root, "src", base)] = filepath.Join(dir, base)
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": table}, "", "\t")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), b, 0o666); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return overlay, nil
}
