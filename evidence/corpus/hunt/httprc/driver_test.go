package example

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/lestrrat-go/httprc/v3"
)

type answers struct{}

func (answers) Do(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

// Six goroutines refresh a resource, which one worker fetches.
func TestRefreshes(t *testing.T) {
	ctx := t.Context()
	c, _ := httprc.NewClient(httprc.WithWorkers(1), httprc.WithHTTPClient(answers{})).Start(ctx)
	r, _ := httprc.NewResource[[]byte]("http://example.com", httprc.BytesTransformer())
	c.Add(ctx, r)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { c.Refresh(ctx, r.URL()) })
	}
	wg.Wait()
}
