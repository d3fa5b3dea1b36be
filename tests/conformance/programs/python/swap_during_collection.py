# A child goes on swapping a folder for a link while the main process is gone and its files are collected.
import os

scene = os.environ["SCENE"]
os.mkdir("out")
open("out/flag", "w").write("mine")
os.symlink(scene, "link")
if os.fork() == 0:
    os.setsid()
    while True:
        try:
            os.rename("out", "aside")
            os.rename("link", "out")
            os.rename("out", "link")
            os.rename("aside", "out")
        except OSError:
            pass
