# expect: misplaced | 3 | syntax
set -e
local x=3
