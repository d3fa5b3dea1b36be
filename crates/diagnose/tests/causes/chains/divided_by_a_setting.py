# origin: 2 | 0
SETTINGS = {"name": "page", "per_page": 0}


def pages(total):
    return total // SETTINGS["per_page"]


print(pages(10))
