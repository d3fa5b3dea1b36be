# Folders in folders, far beyond what a path can say; at the bottom a file.
import os

for depth in range(10_000):
    os.mkdir("d")
    os.chdir("d")
open("bottom.txt", "w").write("here")
print("WORKED", depth + 1, "folders deep")
