-- Posts the bodies of a file, one a line, each thread from a place of its own. What stands for a number in a body is
-- another one in each request, so that no two are alike.
local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init(arguments)
   bodies, at = {}, number * 104729
   for line in io.lines(arguments[1]) do
      bodies[#bodies + 1] = line
   end
   headers = { ["Content-Type"] = "application/json" }
end

function request()
   at = at + 1
   local body = bodies[at % #bodies + 1]:gsub("@@", number .. "-" .. at)
   return wrk.format("POST", nil, headers, body)
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   print(string.format("RESULT %d %d %d %f %f", summary.requests, failed, summary.duration,
      latency:percentile(50), latency:percentile(99)))
end
