# Folders in folders, beyond what a path can say (each step costs a walk to the top: not more than it takes); below, a file.
import os

for depth in range(5_000):
    os.mkdir("d")
    os.chdir("d")
open("bottom.txt", "w").write("here")
print("WORKED", depth + 1, "folders deep")
