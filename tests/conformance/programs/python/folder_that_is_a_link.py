# The folder to be collected from is the host's.
import os

os.symlink(os.environ["SCENE"], "out")
os.symlink("/", "root")
os.makedirs("deep")
os.symlink(os.environ["SCENE"], "deep/out")
print("WORKED" if "BARE" in os.environ else "REFUSED by the collector")
