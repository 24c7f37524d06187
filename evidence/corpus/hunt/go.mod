// Only so that the module above does not contain the drivers: corpus makes a module for each version.
module example.com/hunt

go 1.25.0
