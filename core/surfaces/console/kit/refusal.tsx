import { isSvcError } from '../../sdk/errors.js';
import { keepScreen, signInAgainUrl, signInUrl } from './client.js';
import { formAddress } from './address.js';
import { operationNamed, type Row } from './state.js';
import { Prose } from './prose.js';
import { Button, Notice } from './page.js';
import { actionTitle } from './words.js';

/** The operations that a `fix` names, in its order. */
const operationsIn = (fix: string) =>
  [...new Set(fix.match(/\b[a-z]+(?:\.[a-zA-Z]+)+\b/g) ?? [])].flatMap((name) => operationNamed(name) ?? []);

/** The fields of `details` that are inputs of the next operation, such as the id of what is missing. */
const prefilled = (details: Row | undefined, fields: Row): Row =>
  Object.fromEntries(
    Object.entries(details ?? {}).filter(([name, value]) => name in fields && typeof value === 'string'),
  );

const signInAgain = new Set(['reauth_required', 'mfa_required']);

/** A refusal: the problem, its fix, and a button for the operation that fixes it. */
export function Refusal({ error, again }: { error: unknown; again?: () => void }) {
  if (!isSvcError(error))
    return (
      <Notice
        tone="bad"
        action={
          again ? (
            <Button kind="small" icon="refresh" onClick={again}>
              Try again
            </Button>
          ) : undefined
        }
      >
        {error instanceof Error ? error.message : String(error)}
      </Notice>
    );
  const { code, message, fix, details, requestId } = error;
  const canRepeat = again && (error.status === 0 || error.status >= 500);
  return (
    <Notice
      tone="bad"
      action={
        <span class="acts">
          {signInAgain.has(code) && signInAgainUrl.value !== undefined ? (
            <Button kind="small" href={signInAgainUrl.value} onClick={keepScreen}>
              Sign in again
            </Button>
          ) : null}
          {operationsIn(fix)
            .slice(0, 2)
            .map((operation) => (
              <Button kind="small" href={formAddress(operation.name, prefilled(details, operation.input))}>
                {actionTitle(operation)}
              </Button>
            ))}
          {canRepeat ? (
            <Button kind="small" icon="refresh" onClick={again}>
              Try again
            </Button>
          ) : null}
        </span>
      }
    >
      <p>
        <Prose text={message} />
      </p>
      {fix === '' ? null : (
        <p>
          <Prose text={fix} />
        </p>
      )}
      <p class="faint">
        <code>{code}</code> {requestId === '' ? null : <>· request {requestId}</>}
      </p>
      {signInUrl.value !== undefined && error.status === 401 ? (
        <p>
          <a href={signInUrl.value} onClick={keepScreen}>
            Sign in
          </a>
        </p>
      ) : null}
    </Notice>
  );
}
