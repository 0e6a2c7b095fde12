"""What docs/python-frameworks.md says about Django beside its program (python-frameworks.test.ts): settings and urls."""

import os

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views import View
from svc_sdk.django import optional_svc_user, optional_user_of, receive_events, svc_user, user_of
from svc_sdk.types import Event

SVC_BASE_URL = os.environ["SVC_API_URL"]
SVC_ENVIRONMENT_ID = os.environ.get("SVC_ENVIRONMENT_ID")
SVC_COOKIE = "access"
SECRET_KEY = "test"
ROOT_URLCONF = "django_app"
ALLOWED_HOSTS = ["127.0.0.1"]
DEBUG = True
MIDDLEWARE = ["django.middleware.csrf.CsrfViewMiddleware"]
if "WITH_MIDDLEWARE" in os.environ:
    MIDDLEWARE += ["svc_sdk.django.svc_user_middleware"]


def show(request: HttpRequest) -> JsonResponse:
    user = optional_user_of(request)
    return JsonResponse({"id": None if user is None else user.sub})


async def show_async(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"id": user_of(request).sub})


class Required(View):
    def get(self, request: HttpRequest) -> JsonResponse:
        return JsonResponse({"id": user_of(request).sub})

    def post(self, request: HttpRequest) -> JsonResponse:
        return JsonResponse({"id": user_of(request).sub})

    delete = post


def failing(event: Event) -> None:
    raise RuntimeError("The database is away: failing.")


async def failing_async(event: Event) -> None:
    raise RuntimeError("The database is away: failing/async.")


required = svc_user(Required.as_view())
# As views of an interface for programs are, which send no CSRF token.
setattr(required, "csrf_exempt", True)

urlpatterns = [
    path("required", required),
    path("optional", optional_svc_user(show)),
    path("undecorated", show),
    path("forgotten", show_async),
    path("organization", svc_user(organization=True)(show_async)),
    path("organization/other", svc_user(organization="other")(show_async)),
    path("role", svc_user(roles=["guest", "member"])(show)),
    path("mfa", svc_user(mfa=True)(show)),
    path("failing", receive_events(failing, secret="svc_wh_secret")),
    path("failing/async", receive_events(failing_async, secret="svc_wh_secret")),
]
