package wire

import "encoding/binary"

// PackageVariables holds where those package-level variables of a program are that an execution may find different
// from how the one before it found them.
type PackageVariables struct {
	// Landmark is the address of the symbol Landmark: a program may have been moved since it was linked.
	Landmark uint64
	Named    []Extent
	// Unnamed holds the extents between those that have a name, ascending: only a pointer leads to what is there, such
	// as the array of a slice that a variable begins with.
	Unnamed []Extent
}

// An Extent is a part of a program's memory.
type Extent struct{ At, Size uint64 }

// Landmark is a symbol of each program.
const Landmark = "internal/rouse.On"

// Encode returns the variables as DecodePackageVariables reads them.
func (v *PackageVariables) Encode() (list []byte) {
	add := func(x uint64) { list = binary.LittleEndian.AppendUint64(list, x) }
	add(v.Landmark)
	add(uint64(len(v.Named)))
	for _, all := range [][]Extent{v.Named, v.Unnamed} {
		for _, e := range all {
			add(e.At)
			add(e.Size)
		}
	}
	return list
}

// DecodePackageVariables reads the variables of a program whose landmark is at an address. It returns nil if the list
// is malformed.
func DecodePackageVariables(list []byte, landmark uint64) *PackageVariables {
	const size = 16
	if len(list) < size || len(list)%size != 0 {
		return nil
	}
	moved, named := landmark-binary.LittleEndian.Uint64(list), binary.LittleEndian.Uint64(list[8:])
	list = list[size:]
	if named > uint64(len(list)/size) {
		return nil
	}
	v := &PackageVariables{Landmark: landmark}
	for ; len(list) > 0; list = list[size:] {
		e := Extent{moved + binary.LittleEndian.Uint64(list), binary.LittleEndian.Uint64(list[8:])}
		if uint64(len(v.Named)) < named {
			v.Named = append(v.Named, e)
		} else {
			v.Unnamed = append(v.Unnamed, e)
		}
	}
	return v
}
