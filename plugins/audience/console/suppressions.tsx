import { useState } from 'preact/hooks';
import {
  Button,
  Dialog,
  Head,
  LiftButton,
  List,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  SelectInput,
  Status,
  TextInput,
  textAt,
  Time,
  useAction,
  useDraft,
  valueAt,
  type Column,
  type InputOf,
  type ResultOf,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { suppressionTexts } from './texts.js';

type Filter = NonNullable<InputOf<'audience.suppression.lift'>['filter']>;
type Given = Readonly<Record<'reason' | 'channel' | 'domain' | 'query' | 'since' | 'until', string>>;

const nothing: Given = { reason: 'bounce', channel: '', domain: '', query: '', since: '', until: '' };
const reasons = [
  { value: 'bounce', text: 'Bounced' },
  { value: 'manual', text: 'Suppressed by your team' },
];
const channels = [
  { value: '', text: 'Emails and text messages' },
  { value: 'email', text: 'Emails' },
  { value: 'sms', text: 'Text messages' },
];

const timeOf = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());

/** The filter of the call, without what was left empty. */
function filterOf({ reason, channel, domain, query, since, until }: Given): Filter {
  const [from, to] = [timeOf(since), timeOf(until)];
  return {
    reason: reason === 'manual' ? 'manual' : 'bounce',
    ...(channel === 'email' || channel === 'sms' ? { channel } : {}),
    ...(domain.trim() === '' ? {} : { domain: domain.trim() }),
    ...(query.trim() === '' ? {} : { query: query.trim() }),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
  };
}

/** Counts what a filter finds, asks with the number, then lifts it, call by call. */
function LiftMany({ onClose }: { onClose: () => void }) {
  const { problem, run } = useAction();
  const { value: given = nothing, edit } = useDraft<Given>('suppressions lift');
  const [counted, setCounted] = useState<number>();
  const [lifted, setLifted] = useState<number>();
  const [running, setRunning] = useState(false);
  const set = (name: keyof Given) => (value: string) => {
    edit({ ...given, [name]: value });
    setCounted(undefined);
  };

  /** @returns how many there were; undefined if a call was refused */
  const walk = async (dryRun: boolean, onStep: (count: number) => void): Promise<number | undefined> => {
    setRunning(true);
    let before: string | undefined;
    let sum = 0;
    let isDone = false;
    while (!isDone) {
      const input = { filter: filterOf(given), dryRun, ...(before === undefined ? {} : { before }) };
      const result: ResultOf<'audience.suppression.lift'> | undefined = await run('audience.suppression.lift', input);
      if (!result?.many) break;
      sum += result.many.count;
      onStep(sum);
      isDone = result.many.nextBefore === null;
      before = result.many.nextBefore ?? undefined;
    }
    setRunning(false);
    return isDone ? sum : undefined;
  };
  const count = async (): Promise<void> => setCounted(await walk(true, () => undefined));
  const lift = async (): Promise<void> => {
    if ((await walk(false, setLifted)) !== undefined) edit(undefined);
  };
  const close = (): void => {
    edit(undefined);
    onClose();
  };
  const number = (value: number): string => value.toLocaleString('en');

  return (
    <Dialog title="Lift many suppressions" onClose={onClose}>
      <div class="stack">
        <p class="soft">{suppressionTexts.many}</p>
        {problem === undefined ? null : <Refusal error={problem} />}
        <SelectInput label="Reason" value={given.reason} options={reasons} onChange={set('reason')} />
        <SelectInput label="Channel" value={given.channel} options={channels} onChange={set('channel')} />
        <TextInput label="Domain" value={given.domain} onInput={set('domain')} placeholder="example.com" />
        <TextInput label="Address contains" value={given.query} onInput={set('query')} />
        <TextInput label="Added from" type="datetime-local" value={given.since} onInput={set('since')} />
        <TextInput label="Added before" type="datetime-local" value={given.until} onInput={set('until')} />
        <p role="status">
          {lifted !== undefined
            ? `${number(lifted)} lifted${running ? '…' : '.'}`
            : counted === undefined
              ? suppressionTexts.countFirst
              : counted === 0
                ? suppressionTexts.none
                : `Suppressions that will be lifted: ${number(counted)}.`}
        </p>
        <div class="row end">
          <Button kind="bare" onClick={close}>
            {lifted === undefined ? 'Cancel' : 'Close'}
          </Button>
          {lifted !== undefined ? null : counted === undefined || counted === 0 ? (
            <Button kind="main" busy={running} onClick={count}>
              Count
            </Button>
          ) : (
            <Button kind="danger" busy={running} onClick={lift}>
              {`Lift ${number(counted)}`}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

const columns: readonly Column[] = [
  { title: 'Address', field: 'email', show: (row) => textAt(row, 'email') || textAt(row, 'phone') || '(erased)' },
  { title: 'Reason', field: 'reason', show: (row) => <Status status={textAt(row, 'reason')} /> },
  { title: 'Note', field: 'note' },
  { title: 'Since', field: 'createdAt', show: (row) => <Time at={textAt(row, 'createdAt')} /> },
  {
    title: 'Lifted',
    field: 'liftedAt',
    show: (row) => (textAt(row, 'liftedAt') === '' ? null : <Time at={textAt(row, 'liftedAt')} />),
  },
  { title: 'Actions', field: 'id', actions: true, show: (row) => <Actions row={row} /> },
];

const Actions = ({ row }: { row: Row }) =>
  valueAt(row, 'liftable') === true ? <LiftButton suppressionId={textAt(row, 'id')} /> : null;

/** Addresses and numbers that must not be reached. */
export default function Suppressions() {
  const [open, setOpen] = useState(false);
  const list = operationNamed('audience.suppression.list');
  const lift = operationNamed('audience.suppression.lift');
  if (!list) return null;
  return (
    <>
      <Head
        title="Suppressions"
        beside={<span class="tag">audience.suppression.list</span>}
        sub={suppressionTexts.sub}
        actions={
          <>
            {lift ? (
              <Button refused={refusalFor(lift)} onClick={() => setOpen(true)}>
                Lift many
              </Button>
            ) : null}
            <OperationButton
              operation="audience.suppression.add"
              action="Suppress address"
              kind="main"
              icon="plus"
              input={{}}
              fields={['email', 'phone', 'note']}
              done="Address suppressed"
            />
          </>
        }
      />
      <List operation={list} columns={columns} hrefOf={() => undefined} />
      {open ? <LiftMany onClose={() => setOpen(false)} /> : null}
    </>
  );
}
