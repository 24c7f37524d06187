// TBB's turns, by the protocol of package foreign: one row, fib.

#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

static long fib(long n) {
    if (n < 2) return n;
    long a, b;
    tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
    return a + b;
}

static void turn(int workers, long n) {
    tbb::global_control most(tbb::global_control::max_allowed_parallelism, workers);
    tbb::task_arena arena(workers);
    arena.execute([&] { fib(n < 20 ? n : 20); });
    long result = 0;
    auto start = std::chrono::steady_clock::now();
    arena.execute([&] { result = fib(n); });
    auto took = std::chrono::steady_clock::now() - start;
    std::printf("ok %ld %lld\n", result, (long long)std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string row;
        int workers;
        long n;
        if (words >> row >> workers >> n && row == "fib" && workers > 0) {
            turn(workers, n);
        } else {
            std::printf("error no row \"%s\"\n", row.c_str());
        }
        std::fflush(stdout);
    }
}
