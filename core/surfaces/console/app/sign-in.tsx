import { useState } from 'preact/hooks';
import { keepKey } from '../kit/client.js';
import { Field } from '../kit/field.js';
import { Button } from '../kit/page.js';
import { Refusal } from '../kit/refusal.js';

/** What people without a session see. */
export const SignedOut = ({ signInUrl }: { signInUrl: string }) => (
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
      </div>
    </section>
  </main>
);

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
