//go:build chaos

package remote_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rouse-go/rouse/chaos/remote"
	"github.com/rouse-go/rouse/hooks"
)

var flush = hooks.Declare("example/flush", "the buffer is full, and the writer was not told", hooks.Disturbs|hooks.Drops)

// A service mounts the handler, and whoever is on the same machine arms a plan.
func Example() {
	faults := remote.New()
	mux := http.NewServeMux()
	mux.Handle("/chaos/", http.StripPrefix("/chaos", faults))
	service := httptest.NewServer(mux)
	defer service.Close()

	plan := strings.NewReader("at: example/flush, fault: drop, count: 1, ttl: 30s")
	response, err := service.Client().Post(service.URL+"/chaos/arm", remote.ContentType, plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	response.Body.Close()

	fmt.Println(response.Status, "notify", hooks.Notify(flush), hooks.Notify(flush))
	faults.Disarm()
	status := faults.Status()
	fmt.Println(status.Armed, status.Faults[0].Fault, "fired", status.Faults[0].Fires)
	// Output:
	// 200 OK notify 0 1
	// false {at: example/flush, fault: drop, count: 1} fired 1
}
