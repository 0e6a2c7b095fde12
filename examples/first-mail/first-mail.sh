#!/bin/sh
# Sends one mail with curl. Usage: SVC_API_KEY=svc_live_… sh first-mail.sh [address]
set -eu
url=${SVC_API_URL:-http://127.0.0.1:8080}
to=${1:-ada@example.com}

# The same key for every try: a repeat after a lost answer does not send a second mail.
key="first-mail-$(date +%s)-$$"

curl --silent --show-error --fail-with-body --retry 3 --retry-connrefused "$url/email/send" \
  -H "Authorization: Bearer $SVC_API_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: $key" \
  -d "{\"to\": \"$to\", \"subject\": \"Hello {{ name }}\", \"text\": \"It works, {{ name }}.\", \"variables\": {\"name\": \"Ada\"}}"
echo
