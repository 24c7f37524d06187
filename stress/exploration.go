package stress

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// The exploration of an exhaustive scenario may take hours and have many megabytes to
// remember, too many for lines of the journal: its child keeps them in a file of its own
// beside it, and the journal knows how much of the file counts.

// A keptState is what of such a file counts: its first Size bytes, whose CRC-32 (IEEE) is
// Sum. What follows has been written since, by somebody who did not live to say so.
type keptState struct {
	File string // its name, in the journal's folder
	Size int64
	Sum  uint32
}

// stateName is the name of such a file. It needs no other name while it is being written: until
// the journal names it, it counts for nothing.
const stateName = "exploration-*.state"

// valid reports whether the name is that of a state in the folder, and not a path to somewhere else.
func (k *keptState) valid() bool {
	named, _ := filepath.Match(stateName, k.File) // which takes no separator
	return named && k.Size > 0
}

// read returns what counts, or what is wrong with it.
func (k *keptState) read(dir string) (state []byte, problem string) {
	path := filepath.Join(dir, k.File)
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || info.Size() < k.Size) {
		return nil, fmt.Sprintf("is damaged: it has %d bytes of %d", info.Size(), k.Size)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, "cannot be read: " + reason(err)
	}
	defer f.Close()
	state = make([]byte, k.Size)
	if _, err := io.ReadFull(f, state); err != nil {
		return nil, "cannot be read: " + reason(err)
	}
	if crc32.ChecksumIEEE(state) != k.Sum {
		return nil, "is damaged: its checksum is another"
	}
	return state, ""
}

// sync sees to it that what counts outlives the machine's power.
func (k *keptState) sync(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, k.File), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// removeStates removes all explorations from the folder but that one. Who still has one open, or
// is still writing one, was left behind by a campaign that was killed, and ends by itself.
func removeStates(dir string, but *keptState) {
	entries, _ := os.ReadDir(dir) // if it cannot be read, nothing can be removed
	for _, e := range entries {
		if named, _ := filepath.Match(stateName, e.Name()); named && (but == nil || e.Name() != but.File) {
			os.Remove(filepath.Join(dir, e.Name())) //nolint:errcheck // it is in nobody's way, and removed with the next
		}
	}
}
