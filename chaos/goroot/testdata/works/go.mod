module example.com/works

go 1.25.0
