# origin: 9 | '1,5'
class T:
    @staticmethod
    def conv(x):
        return float(x)
    @classmethod
    def make(cls, text):
        return cls.conv(text)
print(T.make("1,5"))
