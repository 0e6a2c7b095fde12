import { LocationProvider } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { isSvcError } from '../../sdk/errors.js';
import { madeCalls } from '../kit/client.js';
import { useAddress } from '../kit/address.js';
import { Loading } from '../kit/page.js';
import { forgetAll } from '../kit/read.js';
import { Refusal } from '../kit/refusal.js';
import { acting, choices } from '../kit/state.js';
import { Toasts } from '../kit/toast.js';
import { ClosedEnvironment, NoEnvironment } from './closed.js';
import { Home } from './home.js';
import { CurrentScreen } from './screens.js';
import { Shell } from './shell.js';
import { KeyForm, SignedOut } from './sign-in.js';
import { actIn, chosenEnvironment, start, type Started } from './start.js';

/** The console: it starts, signs in, chooses an environment, and shows the screen of the address. */
export function App() {
  const [started, setStarted] = useState<Started>({ state: 'loading' });
  const restart = (): void => {
    setStarted({ state: 'loading' });
    void start().then(setStarted);
  };
  useEffect(restart, []);
  switch (started.state) {
    case 'loading':
      return (
        <div class="plain">
          <Loading lines={3} />
        </div>
      );
    case 'failed':
      return (
        <main class="plain">
          <Refusal error={started.error} again={restart} />
        </main>
      );
    case 'key':
      return <KeyForm problem={started.problem} onKey={restart} />;
    case 'signed-out':
      return <SignedOut signInUrl={started.signInUrl} developerEmail={started.developerEmail} onSignedIn={restart} />;
    case 'nowhere':
      return (
        <>
          <NoEnvironment />
          <Toasts />
        </>
      );
    case 'ready':
      return (
        <LocationProvider scope="/console">
          <InEnvironment />
          <Toasts />
        </LocationProvider>
      );
  }
}

/** Acts in the environment that the address names, and shows its screen. */
function InEnvironment() {
  const { path, go } = useAddress();
  const [, named] = /^\/console\/([^/]+)/.exec(location.pathname) ?? [];
  const wanted = chosenEnvironment(named);
  const [problem, setProblem] = useState<unknown>();
  const here = acting.value;

  useEffect(() => {
    if (wanted === undefined) return;
    if (named !== wanted) go(`/console/${wanted}${location.search}`, true);
    setProblem(undefined);
    if (here?.environmentId === wanted) return;
    forgetAll();
    const state = { current: true };
    void actIn(wanted, () => state.current).catch((error: unknown) => {
      if (state.current) setProblem(error);
    });
    return () => {
      state.current = false;
    };
  }, [wanted, named]);

  useEffect(() => {
    madeCalls.value = [];
  }, [path.join('/')]);

  if (isSvcError(problem) && problem.code === 'forbidden') return <ClosedEnvironment />;
  if (problem !== undefined)
    return (
      <main class="plain">
        <Refusal error={problem} again={() => location.reload()} />
      </main>
    );
  if (!here || here.environmentId !== wanted || named !== wanted)
    return (
      <div class="plain">
        <Loading lines={3} />
      </div>
    );
  return (
    <Shell environments={choices.value}>
      {path.length === 0 ? <Home /> : <CurrentScreen key={`${here.environmentId} ${path.join('/')}`} path={path} />}
    </Shell>
  );
}
