# Files and folders that nobody may open, not even their owner; they must be gone afterwards all the same.
import os

os.makedirs("locked/inner")
for place in ("locked/inner/file", "locked/file", "file"):
    open(place, "w").write("x")
    os.chmod(place, 0)
os.chmod("locked/inner", 0)
os.chmod("locked", 0)
os.mkdir("sticky")
os.chmod("sticky", 0o1000)
print("WORKED")
