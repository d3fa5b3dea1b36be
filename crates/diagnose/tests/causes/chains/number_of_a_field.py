# origin: 2 | 'pen,3
LINES = """pen,3
ink,n/a
cup,4"""


def parse(line):
    # name,count
    name, count = line.split(",")
    return name, int(count)


print([parse(line) for line in LINES.splitlines()])
