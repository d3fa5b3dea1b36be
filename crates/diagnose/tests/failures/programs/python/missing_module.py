# expect: ModuleNotFoundError | 3 | import
import os
import nosuchmodule_xyz
