package caches

import "testing"

func TestRoutesReload(t *testing.T) {
	var r Routes
	r.Load(map[string]string{"/": "home", "/login": "login"})
	reloaded := make(chan bool)
	go func() {
		defer close(reloaded)
		r.Load(map[string]string{"/": "home2", "/login": "login2"})
	}()
	for _, path := range []string{"/", "/login"} {
		if h, ok := r.Find(path); !ok || h == "" {
			t.Errorf("%s: 404", path)
		}
	}
	<-reloaded
}
