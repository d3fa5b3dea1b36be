# hang: sleep | 5 | time.sleep(60 * 60)
import time

print("waiting for the next run")
time.sleep(60 * 60)
