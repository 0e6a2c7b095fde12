import { LocationProvider } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { isSvcError } from '../../sdk/errors.js';
import { madeCalls } from '../kit/client.js';
import { useAddress } from '../kit/address.js';
import { useAttempt } from '../kit/attempt.js';
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
import { actIn, chosenEnvironment, start } from './start.js';

/** The console: it starts, signs in, chooses an environment, and shows the screen of the address. */
export function App() {
  const [times, setTimes] = useState(0);
  const { data: started, error, again } = useAttempt(start, [times]);
  const restart = (): void => setTimes((count) => count + 1);
  if (error !== undefined)
    return (
      <main class="plain">
        <Refusal error={error} again={again} />
      </main>
    );
  if (!started)
    return (
      <div class="plain">
        <Loading lines={3} />
      </div>
    );
  switch (started.state) {
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
  const here = acting.value;

  useEffect(() => {
    if (wanted !== undefined && named !== wanted) go(`/console/${wanted}${location.search}`, true);
  }, [wanted, named]);

  const { error, again } = useAttempt(
    async (isWanted) => {
      if (wanted === undefined || acting.value?.environmentId === wanted) return;
      forgetAll();
      await actIn(wanted, isWanted);
    },
    [wanted],
  );

  useEffect(() => {
    madeCalls.value = [];
  }, [path.join('/')]);

  if (isSvcError(error) && error.code === 'forbidden') return <ClosedEnvironment />;
  if (error !== undefined)
    return (
      <main class="plain">
        <Refusal error={error} again={again} />
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
