"""The signed-in user of a request, and webhooks, in Django 3.2 or newer, in views with and without async.

It reads these settings of Django: ``SVC_ENVIRONMENT_ID``; ``SVC_BASE_URL``, by default the server that this package was
installed from; ``SVC_COOKIE``, a cookie with the access token; ``SVC_WEBHOOK_SECRET``.
"""

import asyncio
import json
from functools import lru_cache, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, TypeVar, Union, cast, overload

from ._requests import MAX_BYTES, Refusal, RequestFacts, Requirement, event_in, too_large
from .types import Event
from .webhooks import secret_of

# Django has no types of its own. So the types here are the same whether or not django-stubs is installed.
try:
    _http: Any = import_module("django.http.response")
    _settings: Any = import_module("django.conf").settings
    _ImproperlyConfigured: Any = import_module("django.core.exceptions").ImproperlyConfigured
except ImportError as error:
    raise ImportError("svc_sdk.django needs Django. Run: pip install django") from error

if TYPE_CHECKING:
    from ._user_check import UserCheck
    from .tokens import AccessTokenClaims

__all__ = ["optional_svc_user", "optional_user_of", "receive_events", "svc_user", "svc_user_middleware", "user_of"]

View = TypeVar("View", bound=Callable[..., Any])

_ATTRIBUTE = "svc_user"


@overload
def svc_user(view: View) -> View: ...
@overload
def svc_user(
    *, organization: Union[bool, str] = False, roles: Optional[Sequence[str]] = None, mfa: bool = False
) -> Callable[[View], View]: ...
def svc_user(
    view: Optional[View] = None,
    *,
    organization: Union[bool, str] = False,
    roles: Optional[Sequence[str]] = None,
    mfa: bool = False,
) -> Union[View, Callable[[View], View]]:
    """Admits only users to a view: ``@svc_user`` or ``@svc_user(roles=["owner", "admin"])``. ``user_of`` returns the user.

    It answers 401 without a valid access token, 403 without the organization, role or second factor, and 503 if the keys
    cannot be fetched. For a view that is a class, decorate what ``as_view()`` returns.

    :param organization: True for any active organization; a text is the id of the only one that is accepted
    :param roles: one of these roles in the active organization
    :param mfa: a sign-in with a second factor
    """
    requirement = Requirement(organization, roles, mfa)

    def decide(request: Any) -> "Union[AccessTokenClaims, Refusal]":
        return _check().decide(_facts_of(request), requirement)

    def decorate(view: View) -> View:
        return _with_user(view, decide)

    return decorate if view is None else decorate(view)


def optional_svc_user(view: View) -> View:
    """Admits everybody to a view: ``optional_user_of`` returns the user, or None without a valid access token."""
    return _with_user(view, _find)


def svc_user_middleware(get_response: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Does for all views what ``optional_svc_user`` does: add ``"svc_sdk.django.svc_user_middleware"`` to MIDDLEWARE."""
    return _with_user(get_response, _find)


setattr(svc_user_middleware, "sync_capable", True)
setattr(svc_user_middleware, "async_capable", True)


def user_of(request: object) -> "AccessTokenClaims":
    """The user of a request.

    :raises RuntimeError: if the view has no ``@svc_user``
    """
    user = optional_user_of(request)
    if user is None:
        raise RuntimeError("There is no user: add @svc_user to the view.")
    return user


def optional_user_of(request: object) -> "Optional[AccessTokenClaims]":
    """The user of a request after one of the decorators or the middleware; None without a valid access token."""
    return cast("Optional[AccessTokenClaims]", getattr(request, _ATTRIBUTE, None))


def receive_events(
    handle: Callable[[Event], object],
    *,
    secret: Optional[str] = None,
    max_bytes: int = MAX_BYTES,
    tolerance: float = 300,
) -> Callable[[Any], Any]:
    """A view that receives webhooks, from a function or coroutine of the event: ``path("webhooks/svc", receive_events(handle))``.

    It answers 204 after the event was handled, 400 to a wrong signature, and 413 to a body that is too large. Deliveries
    may repeat: recognize repeats by ``event.id``. If the function raises, svc delivers the event again.

    :param secret: the endpoint's signing secret exactly as it was issued; by default, the setting SVC_WEBHOOK_SECRET
    :param max_bytes: larger bodies are refused
    :param tolerance: the largest difference between the signature's time and now, in seconds
    """

    def received(request: Any) -> Any:
        """The event, or the response to a delivery that is not accepted."""
        if request.method != "POST":
            return _http.HttpResponseNotAllowed(["POST"])
        body: bytes = request.read(max_bytes + 1)
        if len(body) > max_bytes:
            return _response(too_large(max_bytes))
        checked = secret_of(_setting("SVC_WEBHOOK_SECRET") if secret is None else secret)
        event = event_in(body, request.headers.get("svc-signature"), checked, tolerance)
        return _response(event) if isinstance(event, Refusal) else event

    if _is_async(handle):

        @wraps(handle)
        async def async_view(request: Any) -> Any:
            event = received(request)
            if isinstance(event, _http.HttpResponseBase):
                return event
            await cast(Any, handle(event))
            return _http.HttpResponse(status=204)

        return _without_csrf(async_view)

    @wraps(handle)
    def view(request: Any) -> Any:
        event = received(request)
        if isinstance(event, _http.HttpResponseBase):
            return event
        handle(event)
        return _http.HttpResponse(status=204)

    return _without_csrf(view)


def _without_csrf(view: View) -> View:
    """The decorator of Django 3.2 and 4 would hide that a view is a coroutine."""
    setattr(view, "csrf_exempt", True)
    return view


def _with_user(view: View, decide: "Callable[[Any], Union[AccessTokenClaims, Refusal, None]]") -> View:
    if _is_async(view):

        @wraps(view)
        async def async_view(request: Any, *args: Any, **kwargs: Any) -> Any:
            # In a thread, because it may fetch the keys. Django may run each request in an event loop of its own, which a
            # client and locks of asyncio could not share.
            user = await asyncio.to_thread(decide, request)
            if isinstance(user, Refusal):
                return _response(user)
            setattr(request, _ATTRIBUTE, user)
            return await view(request, *args, **kwargs)

        return cast(View, async_view)

    @wraps(view)
    def sync_view(request: Any, *args: Any, **kwargs: Any) -> Any:
        user = decide(request)
        if isinstance(user, Refusal):
            return _response(user)
        setattr(request, _ATTRIBUTE, user)
        return view(request, *args, **kwargs)

    return cast(View, sync_view)


def _find(request: Any) -> "Union[AccessTokenClaims, Refusal, None]":
    return _check().find(_facts_of(request))


def _setting(name: str) -> Optional[str]:
    return cast(Optional[str], getattr(_settings, name, None))


def _check() -> "UserCheck":
    environment_id = _setting("SVC_ENVIRONMENT_ID")
    if not environment_id:
        raise _ImproperlyConfigured("Set SVC_ENVIRONMENT_ID, the id of the environment of your users, in Django’s settings.")
    return _check_for(environment_id, _setting("SVC_BASE_URL"), _setting("SVC_COOKIE"))


@lru_cache(maxsize=8)
def _check_for(environment_id: str, base_url: Optional[str], cookie: Optional[str]) -> "UserCheck":
    """One for the whole program, because it keeps the keys. Settings differ only in tests."""
    # Here, because receive_events works without PyJWT.
    from ._user_check import UserCheck
    from .tokens import TokenVerifier

    return UserCheck(TokenVerifier(environment_id, base_url=base_url), cookie)


def _facts_of(request: Any) -> RequestFacts:
    return RequestFacts(request.method, request.headers.get)


def _response(refusal: Refusal) -> Any:
    response = _http.HttpResponse(
        json.dumps({"error": refusal.error}, ensure_ascii=False), status=refusal.status, content_type="application/json"
    )
    for name, value in refusal.headers.items():
        response[name] = value
    return response


def _is_async(view: Callable[..., Any]) -> bool:
    """Whether Django awaits what the view returns. asgiref knows the marks of views that are classes."""
    marks: Any = import_module("asgiref.sync")
    known = getattr(marks, "iscoroutinefunction", None) or asyncio.iscoroutinefunction
    return bool(known(view))
