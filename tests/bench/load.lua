-- SPDX-License-Identifier: Apache-2.0
-- load.lua - for wrk: the report as one line of JSON; with BENCH_TARGET, a target with %d in
-- it, requests that are never repeated, counted from BENCH_FROM. wrk calls an answer after two
-- seconds a timeout; a loaded machine has them, and they count as slow, not as wrong.
local before, after = (os.getenv("BENCH_TARGET") or ""):match("^(.*)%%d(.*)$")

if before then
    local number = tonumber(os.getenv("BENCH_FROM"))
    local head, tail = "GET " .. before, nil

    function init()
        local lines = {after .. " HTTP/1.1"}
        for name, value in pairs(wrk.headers) do -- Host, and what -H gives
            table.insert(lines, name .. ": " .. value)
        end
        tail = table.concat(lines, "\r\n") .. "\r\n\r\n"
    end

    function request()
        number = number + 1
        return head .. string.format("%d", number) .. tail
    end
end

function done(summary, latency)
    local errors = summary.errors

    io.write(string.format(
        '\nREPORT {"requests": %d, "seconds": %.6f, "bytes": %.0f, "p99": %.0f, "errors": %d}\n',
        summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status))
end
