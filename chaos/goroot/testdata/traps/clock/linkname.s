// Functions without a body may be declared in a package that has assembly.
