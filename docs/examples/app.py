"""A small web service with a mistake in it."""

import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/ping")
def ping():
    """Pings a host."""
    host = request.args["host"]
    done = subprocess.run("ping -c 1 " + host, shell=True, check=False)
    return {"reachable": done.returncode == 0}
