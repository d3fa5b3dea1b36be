# expect: TypeError | 3 | type
age = 41
print("age " + age)
