"""Reads responses."""

from typing import Any, Dict, Mapping, Optional, Tuple

from ._errors import SvcError
from ._json import is_object, object_of, parse, text_of
from ._retry import retry_after_of


def read_answer(
    operation: str, idempotency_key: Optional[str], status: int, headers: Mapping[str, str], body: bytes
) -> Tuple[Dict[str, Any], Tuple[str, str, bool]]:
    """The result, and the facts of its envelope: audit record, request, and whether it was replayed.

    The result is passed on unchanged: no validation, no conversion (docs/interface.md, Versioning 3).

    :raises SvcError: for an error response, and for a response that is not from svc
    """
    answer = object_of(parse(body))
    request_id = headers.get("x-request-id", "")
    result = answer.get("result")
    if 200 <= status < 300 and is_object(result):
        replayed = headers.get("idempotent-replayed") == "true"
        return object_of(result), (text_of(answer.get("activityId")), request_id, replayed)
    error = object_of(answer.get("error"))
    code = text_of(error.get("code"))
    if code == "":
        raise SvcError(
            f"{operation} got a response with status {status} that is not from svc.",
            code="unexpected_answer",
            status=status,
            fix="Check that base_url is the address of the svc server, and check the proxies in front of it.",
            request_id=request_id,
            operation=operation,
            retry_after=retry_after_of(headers.get("retry-after"), ""),
            idempotency_key=idempotency_key,
        )
    fix = text_of(error.get("fix"))
    raise SvcError(
        text_of(error.get("message")),
        code=code,
        status=status,
        fix=fix,
        request_id=text_of(error.get("requestId")) or request_id,
        operation=operation,
        details=object_of(error.get("details")),
        retry_after=retry_after_of(headers.get("retry-after"), fix),
        idempotency_key=idempotency_key,
    )
