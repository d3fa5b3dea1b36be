import unittest

from grades import grade


class Grades(unittest.TestCase):
    def test_good_and_fair(self):
        self.assertEqual(grade(95), "A")
        self.assertEqual(grade(80), "B")


if __name__ == "__main__":
    unittest.main()
