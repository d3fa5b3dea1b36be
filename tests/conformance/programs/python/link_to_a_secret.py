# The file to be collected is a link to the host's secret; so are its neighbours, by other ways.
import os

os.symlink(os.environ["FLAG"], "out.txt")
os.symlink("../../../../../../.." + os.environ["FLAG"], "relative.txt")
os.symlink("/proc/self/root" + os.environ["FLAG"], "magic.txt")
os.symlink("/proc/self/environ", "environ.txt")
os.symlink("/etc/shadow", "shadow.txt")
os.symlink("loop.txt", "loop.txt")
os.symlink("/dev/zero", "zero.txt")
open("real.txt", "w").write("real")
print("WORKED" if "BARE" in os.environ else "REFUSED by the collector")
