"""Runs the tests of files one after the other; the first that fails ends it, with everything on the stack."""
import os
import sys
import unittest

import formicary_tests as tests

tests.ROOT = os.getcwd()
tests.install()
for name, run in tests.collect(sys.argv[1:]):
    try:
        run()
    except unittest.SkipTest:
        continue
