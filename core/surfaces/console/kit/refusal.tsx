import { isSvcError } from '../../sdk/errors.js';
import { useEffect } from 'preact/hooks';
import { followOtherTab, signInAgainUrl, signInUrl } from './client.js';
import { formAddress } from './address.js';
import { operationNamed, refusalFor, type Row } from './state.js';
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

/** The page that the next step is on, such as that of an invoice. */
const pageOf = (fix: string, { url }: Row = {}): string | undefined =>
  typeof url === 'string' && /^https?:\/\//.test(url) && fix.includes(url) ? url : undefined;

const signInAgain = new Set(['reauth_required', 'mfa_required']);

/** The words of the SDK are for programs. */
const withoutAnswer: Readonly<Record<string, string>> = {
  connection_failed: 'The server cannot be reached.',
  timed_out: 'The server did not answer in time.',
};
const tryLater =
  'Check your connection to the internet, then try again. What you typed stays, and nothing is done twice.';

/** Leads to a sign-in in another tab, so that what was typed in this one stays. */
export function SignInElsewhere({ href, title }: { href: string; title: string }) {
  useEffect(() => {
    const onChange = (): void => {
      if (document.visibilityState === 'visible') void followOtherTab();
    };
    addEventListener('visibilitychange', onChange);
    return () => removeEventListener('visibilitychange', onChange);
  }, []);
  return (
    <p>
      <a href={href} target="_blank" rel="noopener">
        {title}
      </a>{' '}
      in a new tab, then come back to this one and go on. What you typed stays.
    </p>
  );
}

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
  const { code, details, requestId } = error;
  const lost = withoutAnswer[code];
  const [message, fix] = lost === undefined ? [error.message, error.fix] : [lost, tryLater];
  const signIn = signInAgain.has(code) ? signInAgainUrl.value : error.status === 401 ? signInUrl.value : undefined;
  const page = pageOf(fix, details);
  const canRepeat = again && (error.status === 0 || error.status >= 500);
  return (
    <Notice
      tone="bad"
      action={
        <span class="acts">
          {page === undefined ? null : (
            <a class="b small" href={page} target="_blank" rel="noopener">
              Open the page
            </a>
          )}
          {operationsIn(fix)
            .slice(0, 2)
            .map((operation) => (
              <Button
                kind="small"
                href={formAddress(operation.name, prefilled(details, operation.input))}
                refused={refusalFor(operation)}
              >
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
      {signIn === undefined ? null : (
        <SignInElsewhere href={signIn} title={signInAgain.has(code) ? 'Sign in again' : 'Sign in'} />
      )}
    </Notice>
  );
}
