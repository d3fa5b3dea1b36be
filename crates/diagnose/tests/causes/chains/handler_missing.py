# origin: 2 | None
handlers = {"start": print, "stop": None}
def dispatch(cmd):
    handlers[cmd]()
dispatch("stop")
