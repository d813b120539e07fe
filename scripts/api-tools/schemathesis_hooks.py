"""Signs schemathesis in, again and again: some of the routes that it tries end sessions. Notes which routes it came to."""

import json
import os
import urllib.error
import urllib.request

import schemathesis

reached = set()


@schemathesis.hook
def after_call(context, case, response):
    """Writes down each operation that was asked, once."""
    name = case.operation.label
    if name not in reached:
        reached.add(name)
        with open(os.environ["LODE_REACHED"], "a", encoding="utf-8") as file:
            file.write(name + "\n")


@schemathesis.auth(refresh_interval=1)
class Session:
    """The session of the person that the environment names."""

    token = os.environ["LODE_TOKEN"]

    def get(self, case, context):
        body = {"email": os.environ["LODE_EMAIL"], "password": os.environ["LODE_PASSWORD"]}
        request = urllib.request.Request(
            os.environ["LODE_ADDRESS"] + "/api/auth/sign-in",
            data=json.dumps(body).encode(),
            # From a network of its own: that of the others is soon refused for the passwords that they try.
            headers={"Content-Type": "application/json", "X-Forwarded-For": "198.51.100.7"},
        )
        try:
            with urllib.request.urlopen(request) as answer:
                self.token = json.load(answer)["accessToken"]
        except urllib.error.HTTPError:
            # Wrong passwords were tried meanwhile: the session from before goes on.
            pass
        return self.token

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"
