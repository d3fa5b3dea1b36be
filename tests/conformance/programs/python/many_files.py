# More files than anyone wants back.
import os

os.mkdir("many")
for number in range(1000):
    open(f"many/{number}", "w").write(str(number))
print("WORKED 1000 files")
