package porting

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/rouse-go/rouse/pool"
	"golang.org/x/sync/errgroup"
)

// Sums are the checksums of files, by path.
type Sums map[string][sha256.Size]byte

// HashErrgroup hashes the files below a directory, 16 at a time.
func HashErrgroup(ctx context.Context, root string) (Sums, error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	var mu sync.Mutex
	sums := Sums{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		g.Go(func() error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			mu.Lock()
			defer mu.Unlock()
			sums[path] = sum
			return nil
		})
		return ctx.Err()
	})
	return sums, errors.Join(err, g.Wait())
}

// HashGroup is HashErrgroup with a pool's group.
func HashGroup(ctx context.Context, root string) (Sums, error) {
	g, ctx := pool.WithContext(ctx)
	g.SetLimit(16)
	var mu sync.Mutex
	sums := Sums{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		g.Go(func(*pool.Worker) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			mu.Lock()
			defer mu.Unlock()
			sums[path] = sum
			return nil
		})
		return ctx.Err()
	})
	return sums, errors.Join(err, g.Wait())
}
