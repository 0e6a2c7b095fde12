import { signedIn } from '../kit/client.js';
import { Button } from '../kit/page.js';
import { leave } from './leave.js';

/* What people see who are signed in, and may not act where they are: who they are, and the ways out. */

const Who = () =>
  signedIn.value?.email ? (
    <p>
      You are signed in as <b>{signedIn.value.email}</b>.
    </p>
  ) : null;

const SignOut = () => (
  <Button icon="sign-out" onClick={() => void leave()}>
    Sign out
  </Button>
);

/** For an address whose environment does not exist, or belongs to an account that the person is not a member of. */
export const ClosedEnvironment = () => (
  <main class="plain">
    <section class="card">
      <div class="in stack">
        <h1>This environment is not open to you</h1>
        <Who />
        <p class="soft">
          The environment in this address does not exist, or it belongs to an account that you are not a member of. Ask
          an owner of the account to invite you, or sign in with another address.
        </p>
        <div class="row">
          <Button kind="main" href="/console">
            Open your environments
          </Button>
          <SignOut />
        </div>
      </div>
    </section>
  </main>
);

/** For people who are members of no account. */
export const NoEnvironment = () => (
  <main class="plain">
    <section class="card">
      <div class="in stack">
        <h1>You are a member of no account here</h1>
        <Who />
        <p class="soft">
          Ask an owner of an account to invite you, with the address that you sign in with, or sign in with another one.
        </p>
        <div class="row">
          <SignOut />
        </div>
      </div>
    </section>
  </main>
);
