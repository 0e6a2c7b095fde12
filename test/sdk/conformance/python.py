"""The driver of the Python SDK (driver.ts): ``python.py sync`` or ``python.py async``."""

import asyncio
import base64
import inspect
import json
import sys
import traceback
from typing import Any, Dict, Iterator, List, Union, get_args, get_origin, get_type_hints

from svc_sdk import AsyncSvc, Record, Svc, SvcError, envelope_of
from svc_sdk._names import wire_name
from svc_sdk._records import hints_of
from svc_sdk.tokens import AsyncTokenVerifier, TokenRejected, TokenVerifier
from svc_sdk.webhooks import WebhookRejected, construct_event

OPTION_NAMES = {"idempotencyKey": "idempotency_key", "environmentId": "environment_id", "maxAgeSeconds": "max_age"}
IS_ASYNC = sys.argv[1] == "async"


def run(value: Any) -> Any:
    return loop.run_until_complete(value) if inspect.isawaitable(value) else value


def json_of(value: Any) -> Any:
    """The JSON of a reply, read from its attributes; unknown fields from what was received."""
    if isinstance(value, Record):
        raw = value.to_dict()
        hints = hints_of(type(value))
        known = {wire_name(name): name for name in hints}
        for field, name in known.items():
            if field not in raw and type(None) in get_args(hints[name]):
                assert getattr(value, name) is None, f"{name} is absent"
        return {field: json_of(getattr(value, known[field])) if field in known else value[field] for field in raw}
    if isinstance(value, list):
        return [json_of(each) for each in value]
    if isinstance(value, dict):
        return {name: json_of(each) for name, each in value.items()}
    return value


def arguments_of(method: Any, fields: Dict[str, Any]) -> Dict[str, Any]:
    """The interface's input as the method's arguments: its names in snake_case, wherever the types name fields."""
    function = getattr(method, "__func__", None) or type(method).__call__
    return python_of(fields, get_type_hints(inspect.unwrap(function)))


def python_of(fields: Dict[str, Any], hints: Dict[str, Any]) -> Dict[str, Any]:
    names = {wire_name(name): name for name in hints if name not in ("self", "return")}
    return {names[field]: value_of(each, hints[names[field]]) for field, each in fields.items()}


def value_of(value: Any, hint: Any) -> Any:
    options = list(options_of(hint))
    if isinstance(value, dict):
        for option in options:
            if hasattr(option, "__total__"):
                return python_of(value, get_type_hints(option))
            if get_origin(option) is not None and len(get_args(option)) == 2:
                return {name: value_of(each, get_args(option)[1]) for name, each in value.items()}
    if isinstance(value, list):
        for option in options:
            if len(get_args(option)) == 1:
                return [value_of(each, get_args(option)[0]) for each in value]
    return value


def options_of(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Union:
        for each in get_args(hint):
            yield from options_of(each)
    else:
        yield hint


#: How long the client waited, in milliseconds.
waits: List[int] = []
#: Clients by their settings: making one reads the certificates of the machine.
clients: Dict[str, Any] = {}


def client_of(settings: Dict[str, Any]) -> Any:
    key = json.dumps(settings)
    if key not in clients:
        clients[key] = new_client(settings)
    return clients[key]


def new_client(settings: Dict[str, Any]) -> Union[Svc, AsyncSvc]:
    options: Dict[str, Any] = {"base_url": settings["baseUrl"], "random": lambda: 1.0}
    for field, name in (("environmentId", "environment_id"), ("maxRetries", "max_retries")):
        if field in settings:
            options[name] = settings[field]
    for field, name in (("timeoutMs", "timeout"), ("maxWaitMs", "max_wait")):
        if field in settings:
            options[name] = settings[field] / 1000

    async def sleep(seconds: float) -> None:
        waits.append(round(seconds * 1000))

    def block(seconds: float) -> None:
        waits.append(round(seconds * 1000))

    if IS_ASYNC:
        return AsyncSvc(settings.get("apiKey"), sleep=sleep, **options)
    return Svc(settings.get("apiKey"), sleep=block, **options)


def method_of(svc: Any, name: str) -> Any:
    for part in name.split("."):
        snake = "".join(f"_{each.lower()}" if each.isupper() else each for each in part)
        svc = getattr(svc, snake, None) or getattr(svc, f"{snake}_")
    return svc


async def taken(items: Any, take: int) -> List[Any]:
    seen: List[Any] = []
    if IS_ASYNC:
        async for each in items:
            seen.append(json_of(each))
            if len(seen) >= take:
                break
    else:
        for each in items:
            seen.append(json_of(each))
            if len(seen) >= take:
                break
    return seen


def call(request: Dict[str, Any]) -> Dict[str, Any]:
    waits.clear()
    svc = client_of(request["client"])
    options = {OPTION_NAMES[name]: value for name, value in request.get("options", {}).items()}
    try:
        if request["do"] == "callByName":
            answered = run(svc.call(request["operation"], request["input"], **options))
            envelope = envelope_of(answered)
            facts = {"activityId": envelope.activity_id, "replayed": envelope.replayed}
            return {"result": json_of(answered), **facts, "waitsMs": waits}
        method = method_of(svc, request["operation"])
        arguments = arguments_of(method, request["input"])
        if request["do"] == "all":
            items = method.all(**arguments)
            return {"items": run(taken(items, request.get("take", sys.maxsize))), "waitsMs": waits}
        return {"result": json_of(run(method(**arguments, **options))), "waitsMs": waits}
    except SvcError as error:
        facts = {
            "code": error.code,
            "status": error.status,
            "message": error.message,
            "fix": error.fix,
            "requestId": error.request_id,
            "operation": error.operation,
            "details": error.details,
            "retryAfter": error.retry_after,
            "idempotencyKey": error.idempotency_key,
        }
        return {"error": {name: value for name, value in facts.items() if value is not None}, "waitsMs": waits}


def receive(request: Dict[str, Any]) -> Dict[str, Any]:
    try:
        body = base64.b64decode(request["body"])
        event: Any = construct_event(body, request["header"], request["secret"], now=request["nowMs"] / 1000)
        return {"event": json_of(event)}
    except WebhookRejected as error:
        return {"rejected": error.reason}
    except TypeError as error:
        return {"misused": str(error)}


def check_tokens(request: Dict[str, Any]) -> Dict[str, Any]:
    now = [0.0]
    make: Any = AsyncTokenVerifier if IS_ASYNC else TokenVerifier
    verifier = make(request["environmentId"], base_url=request["baseUrl"], now=lambda: now[0])
    outcomes: List[Dict[str, Any]] = []
    for check in request["checks"]:
        now[0] = check["nowMs"] / 1000
        try:
            outcomes.append({"sub": run(verifier.verify(check["token"])).sub})
        except TokenRejected as error:
            outcomes.append({"rejected": error.reason})
    return {"checks": outcomes}


def carry_out(request: Dict[str, Any]) -> Dict[str, Any]:
    try:
        return {"webhook": receive, "tokens": check_tokens}.get(request["do"], call)(request)
    except Exception:
        return {"failed": traceback.format_exc()}


loop = asyncio.new_event_loop()
for line in sys.stdin:
    print(json.dumps(carry_out(json.loads(line))), flush=True)
