# hang: loop | 14 | self.running
import time


class Server:
    def __init__(self):
        self.running = True
        self.handled = 0

    def stop(self):
        self.runing = False

    def serve(self):
        while self.running:
            self.handled += 1
            if self.handled == 10:
                self.stop()
            time.sleep(0.001)


Server().serve()
