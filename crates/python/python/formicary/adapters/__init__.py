"""Formicary in what people already use. Each needs its own package, and only it:

| module | what it is |
|---|---|
| `function_calling` | tool definitions for APIs that call functions; needs nothing |
| `langchain` | a LangChain tool |
| `pytest_plugin` | `pytest --formicary` runs tests in the sandbox |
| `ipython` | the magic `%%sandbox` |
"""
