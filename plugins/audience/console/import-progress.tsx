import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  call,
  Card,
  counted,
  csvOf,
  download,
  Facts,
  Head,
  listAddress,
  Loading,
  Notice,
  operationNamed,
  Progress,
  Refusal,
  refusalFor,
  Status,
  useAction,
  useAddress,
  useRead,
  type ResultOf,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { keepFile, keptInput, keptRows } from './kept-file.js';
import { importTexts } from './texts.js';

type Reply = ResultOf<'audience.import.get'>;
type Rejected = Reply['rejected'][number];

const hasEnded = ({ import: { status } }: Reply): boolean => status === 'done' || status === 'failed';

const pollMs = (reply: Reply) => (hasEnded(reply) ? undefined : 1_000);

/** One import: how far it is, and the rows that it rejected. It can be left and opened again. */
export default function ImportProgress({ params: { importId = '' } }: ScreenProps) {
  const { query, go } = useAddress();
  const before = query['before'];
  const { data, error, again } = useRead(
    'audience.import.get',
    { importId, ...(before === undefined ? {} : { before }) },
    { pollMs },
  );
  const action = useAction();
  if (error)
    return (
      <>
        <Head title="Import" />
        <Refusal error={error} again={again} />
      </>
    );
  if (!data) return <Loading />;
  const { import: run, rejected, rejectedRemovedAt, nextBefore } = data;
  const ended = hasEnded(data);
  const input = keptInput(importId);
  const contacts = operationNamed('audience.contact.list');
  const importReally = async (): Promise<void> => {
    if (!input) return;
    const result = await action.run('audience.contact.import', input);
    if (!result) return;
    keepFile(result.import.id, input);
    go(addressOf(['audience', 'import', result.import.id]));
  };
  return (
    <>
      <Head
        title={run.dryRun ? `Check of ${counted(run.total, 'row')}` : `Import of ${counted(run.total, 'row')}`}
        beside={
          <Status status={run.status} tone={run.status === 'done' ? 'good' : run.status === 'failed' ? 'bad' : 'run'} />
        }
        actions={
          <>
            <Button href={addressOf(['audience', 'import'])}>Import another file</Button>
            {contacts && ended && !run.dryRun ? (
              <Button kind="main" href={listAddress(contacts)}>
                Show contacts
              </Button>
            ) : null}
          </>
        }
      />
      {run.dryRun && ended ? (
        <Notice
          tone="good"
          action={
            input ? (
              <Button
                kind="main"
                busy={action.busy}
                refused={refusalFor('audience.contact.import')}
                onClick={importReally}
              >
                Import {counted(run.total - run.rejected, 'row')}
              </Button>
            ) : undefined
          }
        >
          {importTexts.checked}
        </Notice>
      ) : null}
      {action.problem === undefined ? null : <Refusal error={action.problem} />}
      {run.status === 'failed' ? <Notice tone="bad">{importTexts.failed}</Notice> : null}
      <Card>
        <Progress done={run.processed} total={run.total} label="Rows that are read" />
        <dl class="numbers" aria-live="polite">
          <Count name="Read" count={run.processed} of={run.total} />
          <Count name={run.dryRun ? 'Would be created' : 'Created'} count={run.created} />
          <Count name={run.dryRun ? 'Would be updated' : 'Updated'} count={run.updated} />
          <Count name="Rejected" count={run.rejected} tone={run.rejected > 0 ? 'bad' : ''} />
        </dl>
        {ended ? null : <p class="faint">{importTexts.leave}</p>}
      </Card>
      <div class="two">
        <Card
          title="Rejected rows"
          beside={
            run.rejected > 0 && ended && rejectedRemovedAt === null ? <SaveRejected importId={importId} /> : undefined
          }
          flush
        >
          {rejected.length > 0 ? (
            <RejectedTable rejected={rejected} />
          ) : (
            <p class="in soft">
              {rejectedRemovedAt !== null && run.rejected > 0
                ? importTexts.removed
                : ended
                  ? 'Every row was accepted.'
                  : 'None so far.'}
            </p>
          )}
          {nextBefore === null && before === undefined ? null : (
            <div class="pages">
              {before === undefined ? null : (
                <Button kind="small" href={addressOf(['audience', 'import', importId])}>
                  First page
                </Button>
              )}
              <span class="right" />
              {nextBefore === null ? null : (
                <Button kind="small" href={addressOf(['audience', 'import', importId], { before: nextBefore })}>
                  Next page
                </Button>
              )}
            </div>
          )}
        </Card>
        <Card title="Import">
          <Facts row={{ ...run }} only={['id', 'createdAt', 'startedAt', 'finishedAt']} product="audience" />
        </Card>
      </div>
    </>
  );
}

const number = new Intl.NumberFormat('en');

const Count = ({ name, count, of, tone = '' }: { name: string; count: number; of?: number; tone?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd class={tone}>
      {number.format(count)}
      {of === undefined ? null : <span class="faint"> of {number.format(of)}</span>}
    </dd>
  </div>
);

const RejectedTable = ({ rejected }: { rejected: readonly Rejected[] }) => (
  <div class="scroll" role="region" aria-label="Rejected rows" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Row</th>
          <th scope="col">Reason</th>
          <th scope="col">Code</th>
        </tr>
      </thead>
      <tbody>
        {rejected.map(({ row, code, message }, at) => (
          <tr key={at}>
            <td class="num-left">{number.format(row)}</td>
            <td class="wrap">{message}</td>
            <td>
              <code>{code}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Saves all rejected rows, page by page, with the file's own columns if this tab has the file. */
function SaveRejected({ importId }: { importId: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const all: Rejected[] = [];
      let before: string | null = null;
      do {
        const { result }: { result: ResultOf<'audience.import.get'> } = await call('audience.import.get', {
          importId,
          ...(before === null ? {} : { before }),
        });
        all.push(...result.rejected);
        before = result.nextBefore;
      } while (before !== null);
      const file = keptRows(importId);
      const header = ['row', 'code', 'reason', ...(file?.header ?? [])];
      const lines = all.map(({ row, code, message }) => [String(row), code, message, ...(file?.row(row) ?? [])]);
      download(`rejected-${importId}.csv`, csvOf([header, ...lines]));
    } catch (caught) {
      setProblem(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <span class="right">
      {problem === undefined ? null : <Refusal error={problem} />}
      <Button kind="small" busy={busy} onClick={save}>
        {busy ? 'Saving…' : 'Download rejected rows'}
      </Button>
    </span>
  );
}
