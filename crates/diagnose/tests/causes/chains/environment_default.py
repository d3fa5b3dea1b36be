# origin: 4 | None
import os

token = os.environ.get("SERVICE_TOKEN_OF_NOBODY")
print("token:" + token)
