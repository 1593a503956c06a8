# Inputs of golden cases as rows of `hoyito stats`: "see" is put in its place, and what only the id
# says (which ties, which test of the same games) becomes a key.
def inputs_of($id): $golden[0].cases[] | select(.id == $id) | .inputs;
def resolved:
  if (.see | type) == "string" then .see |= (. as $id | inputs_of($id) | resolved)
  elif (.see | type) == "array" then .see |= map(. as $id | inputs_of($id) | resolved)
  else . end;
.[] | .id as $id | .inputs | resolved
  | if ($id | startswith("cox/")) then .ties = ($id | split("/")[1])
    elif $id == "logrank/peto_rho1" then .rho = 1
    else . end
