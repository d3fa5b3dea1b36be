# expect: TypeError | 3 | type
seen = {}
seen[[1, 2]] = True
