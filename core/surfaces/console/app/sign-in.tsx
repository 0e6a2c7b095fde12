import { useState } from 'preact/hooks';
import { products } from 'svc-console-products';
import { keepKey } from '../kit/client.js';
import { Field } from '../kit/field.js';
import { Button, Notice } from '../kit/page.js';
import { loadPart, unreachable } from '../kit/reach.js';
import { Refusal } from '../kit/refusal.js';

interface SignedOutProps {
  signInUrl: string;
  /** The owner, for a browser on a development machine. */
  developerEmail: string | undefined;
  onSignedIn: () => void;
}

/** What people without a session see. */
export const SignedOut = ({ signInUrl, developerEmail, onSignedIn }: SignedOutProps) => (
  <main class="plain">
    <section class="card">
      <div class="in stack">
        <h1>svc console</h1>
        <p class="soft">Sign in with the address that you are a member of an account with.</p>
        <div class="row">
          <Button kind="main" href={signInUrl}>
            Sign in
          </Button>
        </div>
        {developerEmail === undefined ? null : (
          <DeveloperSignIn signInUrl={signInUrl} email={developerEmail} onSignedIn={onSignedIn} />
        )}
      </div>
    </section>
  </main>
);

/** One click for developers: the code is in the mailbox that this machine keeps. */
function DeveloperSignIn({
  signInUrl,
  email,
  onSignedIn,
}: {
  signInUrl: string;
  email: string;
  onSignedIn: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const load = Object.values(products).find(({ developerSignIn }) => developerSignIn)?.developerSignIn;
  if (!load) return null;
  const signIn = async (): Promise<void> => {
    setBusy(true);
    try {
      const found = await (await loadPart(load)).default(signInUrl, email);
      setProblem(found);
      if (found === undefined) onSignedIn();
    } catch (error) {
      // What `fetch` throws without an answer.
      setProblem(error instanceof TypeError ? unreachable(error) : error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack tight">
      <p class="faint small">This is a development server. Its sign-in codes are kept on this machine.</p>
      <div class="row">
        <Button busy={busy} onClick={() => void signIn()}>
          {busy ? 'Signing in…' : `Sign in as ${email}`}
        </Button>
      </div>
      {problem === undefined ? null : typeof problem === 'string' ? (
        <Notice tone="bad">{problem}</Notice>
      ) : (
        <Refusal error={problem} />
      )}
    </div>
  );
}

/** Without the product auth there are no sessions: a secret key opens the console, in this tab only. */
export function KeyForm({ problem, onKey }: { problem: unknown; onKey: () => void }) {
  const [key, setKey] = useState<unknown>();
  return (
    <main class="plain">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (typeof key !== 'string' || key === '') return;
          keepKey(key.trim());
          onKey();
        }}
      >
        <div class="in stack">
          <h1>svc console</h1>
          {problem === undefined ? null : <Refusal error={problem} />}
          <Field
            name="secretKey"
            path="secretKey"
            field={{
              type: 'text',
              format: 'password',
              required: true,
              description:
                'Sign-in is disabled on this server, so the console uses a secret key. The key stays in this tab.',
            }}
            value={key}
            onChange={setKey}
          />
          <div class="row">
            <Button kind="main" submit>
              Open console
            </Button>
          </div>
        </div>
      </form>
    </main>
  );
}
