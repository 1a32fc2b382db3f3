-- Sends the review, and counts answers that are not those of a review that is admitted.
local file = io.open(os.getenv("REVIEW"), "rb")
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()

local threads = {}
wrong = 0

function setup(thread)
  table.insert(threads, thread)
end

function response(status, _, body)
  if status ~= 200 or not body:find('"allowed":true', 1, true) then
    wrong = wrong + 1
  end
end

function done(summary, latency)
  local total = 0
  for _, thread in ipairs(threads) do
    total = total + thread:get("wrong")
  end
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("result %.1f %.3f %.3f %d %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, total + lost, summary.requests))
end
