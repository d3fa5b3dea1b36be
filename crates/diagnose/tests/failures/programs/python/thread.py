# expect: ZeroDivisionError | 6 | arithmetic
import sys
import threading

def work():
    1 / 0

thread = threading.Thread(target=work)
thread.start()
thread.join()
sys.exit(1)
