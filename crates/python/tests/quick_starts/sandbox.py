from formicary.coding.execution import CodeExecutor
from formicary.coding.sandbox import SandboxEnvironment

# create a secure sandbox
with SandboxEnvironment(allow_network=False) as sandbox:
    executor = CodeExecutor(environment=sandbox)
    
    # Execute a snippet
    result = executor.run_python("print(sum([1, 2, 3]))")
    
    if result.success:
        print(f"Output: {result.stdout}")
    else:
        print(f"Error: {result.stderr}")
