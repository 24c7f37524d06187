//go:build gc && (mips || mipsle)

#include "textflag.h"

// func G() uintptr
TEXT ·G(SB), NOSPLIT, $0-4
	MOVW g, ret+0(FP)
	RET
