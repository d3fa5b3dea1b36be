# expect: AssertionError | 6 | assertion
import unittest

class Sums(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(1 + 1, 3)

unittest.main()
