# origin: 8 | 'prod'
def url(mode):
    if mode == "dev":
        host = "localhost"
    return "http://" + host


print(url("prod"))
