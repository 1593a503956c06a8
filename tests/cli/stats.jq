# What of the expected answers is not in those given: {"id", "key", "expected", "got"} for each.
# `$answers`: the lines that `hoyito stats` wrote for the cases, in their order.

# How near an answer has to be. R's own root finders stop early for two of them.
def tolerance($key):
  if $key | test("^fisher_or") then 1e-4
  elif $key | test("^pwr") then 1e-8
  elif $key | test("LLR_generalised|theta|loglik|^coef|^se$|^hr$") then 1e-6
  else 1e-9 end;

def magnitude: if . < 0 then -. else . end;

# Far tails are compared by their logarithm; below 1e-300 both are 0.
def near($got; $want; $tolerance):
  if ($want | type) == "array" then
    ($got | type) == "array" and ($got | length) == ($want | length)
    and all(range($want | length); . as $i | near($got[$i]; $want[$i]; $tolerance))
  elif ($want | type) == "object" then
    ($got | type) == "object"
    and all($want | keys[]; . as $k | near($got[$k]; $want[$k]; $tolerance))
  elif ($want | type) != "number" or ($got | type) != "number" then $got == $want
  elif ($want | magnitude) < 1e-18 and ($want | magnitude) > 0 and $got >= 0
  then $got < 1e-18 and ($want < 1e-300 or $got < 1e-300
    or (($got | log) - ($want | log) | magnitude) <= $tolerance * ($want | log | magnitude))
  else ($got - $want | magnitude) <= $tolerance * ($want | magnitude) end;

[., $answers] | transpose[] | .[0] as $case | .[1] as $got
| (($case.expected_python_only // {}) + ($case.expected // {}) | del(.notes)) | to_entries[]
| . as $want
| select($got == null or ($got | has($want.key) | not)
    or (near($got[$want.key]; $want.value; tolerance($want.key)) | not))
| {id: $case.id, key: $want.key, expected: $want.value, got: $got[$want.key]}
