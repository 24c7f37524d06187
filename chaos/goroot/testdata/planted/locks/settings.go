package locks

import "sync"

// A Source is a file of settings that may change at any time.
type Source struct {
	mu      sync.Mutex
	version int
	text    string
}

// Write changes the file.
func (s *Source) Write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.text = text
}

// Read returns the text and its version.
func (s *Source) Read() (string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text, s.version
}

// Settings reads a source when it is first needed.
type Settings struct {
	source *Source
	once   sync.Once
	text   string
}

func NewSettings(source *Source) *Settings { return &Settings{source: source} }

// Text returns the settings.
func (s *Settings) Text() string {
	s.once.Do(func() { s.text = s.load() })
	return s.text
}
