# origin: 5 | [4, 5]
def transpose(m):
    return [[row[i] for row in m] for i in range(len(m[0]))]
grid = [[1, 2, 3],
        [4, 5],
        [7, 8, 9]]
print(transpose(grid))
