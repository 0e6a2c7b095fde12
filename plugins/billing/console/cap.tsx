import { useState } from 'preact/hooks';
import {
  Button,
  Card,
  Loading,
  money,
  Progress,
  Refusal,
  refusalFor,
  TextInput,
  useAction,
  useDraft,
  useRead,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

type Account = ResultOf<'billing.get'>;

/** The spending cap, changed in place, beside what was spent today and this month. */
export function Cap() {
  const { data, error, again } = useRead('billing.get', {});
  const days = useRead('billing.usage.get', { by: 'day' });
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Card title="Spending this month">
      {error ? (
        <Refusal error={error} again={again} />
      ) : data === undefined ? (
        <Loading lines={5} />
      ) : (
        <>
          <dl class="numbers">
            <div>
              <dt>Today</dt>
              <dd>{days.data === undefined ? '…' : money(spentOn(days.data, today, data.amountSoFar.currency))}</dd>
            </div>
            <div>
              <dt>This month</dt>
              <dd>{money(data.amountSoFar)}</dd>
            </div>
            {Number(data.reserved.amount) === 0 ? null : (
              <div>
                <dt>Reserved by broadcasts</dt>
                <dd>{money(data.reserved)}</dd>
              </div>
            )}
          </dl>
          {data.cap === null ? (
            <p class="soft">{texts.capNone}</p>
          ) : (
            <>
              <Progress
                label="Spent of the cap"
                done={Number(data.amountSoFar.amount) + Number(data.reserved.amount)}
                total={Number(data.cap.amount)}
              />
              <p class="soft">
                {money(data.capRemaining ?? data.cap)} left of {money(data.cap)}.
              </p>
            </>
          )}
          <Form account={data} />
        </>
      )}
    </Card>
  );
}

/** What a day cost, without test environments. @param day YYYY-MM-DD, UTC */
function spentOn({ rows }: ResultOf<'billing.usage.get'>, day: string, currency: string): Account['amountSoFar'] {
  const amounts = rows.filter(({ date, test }) => date === day && !test).map(({ amount }) => Number(amount.amount));
  return { currency, amount: String(Math.round(amounts.reduce((sum, each) => sum + each, 0) * 1e6) / 1e6) };
}

function Form({ account: { cap, amountSoFar } }: { account: Account }) {
  // What is typed stays, also if somebody else changes the cap meanwhile.
  const draft = useDraft<string>('cap');
  const typed = draft.value;
  const amount = typed ?? cap?.amount ?? '';
  const [isMissing, setMissing] = useState(false);
  const { busy, problem, run } = useAction();
  const refused = refusalFor('billing.cap.set');
  const set = async (value: string | null): Promise<void> => {
    if (await run('billing.cap.set', { amount: value }, value === null ? 'Cap removed.' : 'Cap changed.'))
      draft.update((now) => (now === typed ? undefined : now));
  };
  return (
    <form
      class="stack tight"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(amount.trim() === '');
        if (refused === undefined && amount.trim() !== '') void set(amount.trim());
      }}
    >
      {problem === undefined ? null : <Refusal error={problem} />}
      <TextInput
        label={`Monthly cap in ${amountSoFar.currency}`}
        value={amount}
        onInput={draft.edit}
        hint={texts.capMeans}
        error={isMissing ? texts.capMissing : undefined}
        placeholder="200"
      />
      <div class="row">
        <Button submit busy={busy} refused={refused}>
          {cap === null ? 'Set cap' : 'Change cap'}
        </Button>
        {cap === null ? null : (
          <Button kind="bare" busy={busy} refused={refused} onClick={() => void set(null)}>
            Remove cap
          </Button>
        )}
      </div>
      {refused === undefined ? null : <p class="faint small">{refused}</p>}
    </form>
  );
}
