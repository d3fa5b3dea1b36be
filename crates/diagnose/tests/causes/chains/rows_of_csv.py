# origin: 3 | 'name,qty
import csv, io
DATA = """name,qty
pen,3
ink,
"""
def load():
    return list(csv.DictReader(io.StringIO(DATA)))
def total(rows):
    return sum(int(r["qty"]) for r in rows)
print(total(load()))
