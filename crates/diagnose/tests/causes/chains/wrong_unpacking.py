# origin: 3 | 'a:b:c'
pairs = ["x:1",
         "a:b:c"]
for pair in pairs:
    key, value = pair.split(":")
    print(key, value)
