# origin: 7 | '3'
def repeat(text, times=1):
    return text * 2 + times * text


class Printer:
    copies = "3"

    def run(self):
        return [None] * self.copies


print(Printer().run())
