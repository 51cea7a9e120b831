/* SPDX-License-Identifier: Apache-2.0
 * number_text_cxx.cc FILE - the same as number_text.c by std::to_chars, the shortest form of the C++ library. */
#include <charconv>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

static double cpu_time()
{
    timespec at;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

int main(int argc, char *argv[])
{
    if (argc != 2)
        return 1;
    std::ifstream file(argv[1], std::ios::binary);
    std::vector<char> raw((std::istreambuf_iterator<char>(file)), {});
    const float *values = reinterpret_cast<const float *>(raw.data());
    const size_t count = raw.size() / sizeof *values;
    std::vector<char> out(count * 33 + 64);
    size_t written = 0, bytes = 0;
    double spent = 0;
    const double start = cpu_time();
    do {
        char *at = out.data(), *const end = at + out.size();
        for (size_t i = 0; i < count; i++) {
            at = std::to_chars(at, end, values[i]).ptr;
            *at++ = ',';
        }
        bytes += static_cast<size_t>(at - out.data());
        written += count;
        spent = cpu_time() - start;
    } while (spent < 0.1);
    std::printf("%.0f\n", bytes > 0 ? static_cast<double>(written) / spent : 0.0);
    return 0;
}
