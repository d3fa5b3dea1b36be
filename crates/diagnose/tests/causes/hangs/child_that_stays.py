# hang: process | 4 | subprocess.run
import subprocess

subprocess.run(["sleep", "1000"])
print("done")
