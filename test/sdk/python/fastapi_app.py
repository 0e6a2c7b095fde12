"""What docs/python-frameworks.md says about FastAPI beside its program (python-frameworks.test.ts)."""

import os
from typing import Dict, Optional

from fastapi import Depends, FastAPI
from svc_sdk.fastapi import SvcAuth, add_refusal_handler, receive_event
from svc_sdk.tokens import AccessTokenClaims
from svc_sdk.types import Event

auth = SvcAuth(os.environ["SVC_ENVIRONMENT_ID"], base_url=os.environ["SVC_API_URL"], cookie="access")
app = FastAPI()
add_refusal_handler(app)
plain = FastAPI()
app.mount("/plain", plain)


@app.get("/required")
def required(user: AccessTokenClaims = Depends(auth.required)) -> Dict[str, str]:
    return {"id": user.sub}


@app.post("/required")
@app.delete("/required")
async def change(user: AccessTokenClaims = Depends(auth.required)) -> Dict[str, str]:
    return {"id": user.sub}


@app.get("/optional")
async def optional(user: Optional[AccessTokenClaims] = Depends(auth.optional)) -> Dict[str, Optional[str]]:
    return {"id": None if user is None else user.sub}


@app.get("/organization")
async def organization(user: AccessTokenClaims = Depends(auth.require(organization=True))) -> Dict[str, str]:
    return {"id": user.sub}


@app.get("/organization/other")
async def other(user: AccessTokenClaims = Depends(auth.require(organization="other"))) -> Dict[str, str]:
    return {"id": user.sub}


@app.get("/role")
async def role(user: AccessTokenClaims = Depends(auth.role("guest", "member"))) -> Dict[str, str]:
    return {"id": user.sub}


@app.get("/mfa")
async def mfa(user: AccessTokenClaims = Depends(auth.require(mfa=True))) -> Dict[str, str]:
    return {"id": user.sub}


@app.post("/failing", status_code=204)
async def failing(_event: Event = Depends(receive_event("svc_wh_secret"))) -> None:
    raise RuntimeError("The database is away: failing.")


@plain.get("/required")
async def plain_required(user: AccessTokenClaims = Depends(auth.required)) -> Dict[str, str]:
    return {"id": user.sub}
