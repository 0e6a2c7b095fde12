import {
  addressOf,
  Button,
  Confirm,
  Dialog,
  FormDialog,
  has,
  OperationButton,
  readOnce,
  Refusal,
  refusalFor,
  type ResultOf,
  TextInput,
  useAction,
  useAddress,
  useFields,
} from '#core/surfaces/console/kit/index.js';
import { useState } from 'preact/hooks';
import { timeProblem } from './broadcast-confirm.js';
import { localTime, timeOf } from './broadcast-draft.js';
import { broadcastTexts } from './texts.js';

type Broadcast = ResultOf<'email.broadcast.get'>['broadcast'];

const longest = 120;
const named = (before: string, name: string): string => `${before} ${name}`.slice(0, longest);

/** What a new broadcast takes over from another one. */
const copyOf = ({ template, from, topic, subject, segmentId, variables }: Broadcast) => ({
  ...{ template, from, topic, variables },
  ...(subject === null ? {} : { subject }),
  ...(segmentId === null ? {} : { segmentId }),
});

/** Makes a draft with the same content and audience. */
export function DuplicateButton({ broadcast }: { broadcast: Broadcast }) {
  const { go } = useAddress();
  const action = useAction();
  const duplicate = async (): Promise<void> => {
    const input = { ...copyOf(broadcast), name: named('Copy of', broadcast.name) };
    const made = await action.run('email.broadcast.create', input, 'Broadcast duplicated.');
    if (made) go(addressOf(['email', 'broadcast', made.broadcast.id]));
  };
  return (
    <>
      <Button refused={refusalFor('email.broadcast.create')} busy={action.busy} onClick={duplicate}>
        Duplicate
      </Button>
      {action.problem === undefined ? null : (
        <Dialog title="Duplicate" onClose={action.clear}>
          <Refusal error={action.problem} again={() => void duplicate()} />
        </Dialog>
      )}
    </>
  );
}

/**
 * Makes a draft for those who did not get the broadcast: a segment of its audience without the contacts that have
 * received an email since it began.
 */
export function LeftOutButton({ broadcast }: { broadcast: Broadcast }) {
  const { go } = useAddress();
  const action = useAction();
  const [asking, ask] = useState(false);
  const { sentAt, segmentId, name } = broadcast;
  if (!has('audience.segment.create') || sentAt === null) return null;
  const make = async (): Promise<void> => {
    const before = segmentId === null ? undefined : await readOnce('audience.segment.get', { segmentId });
    const notSince = { not: { field: 'message.email.lastSentAt', op: 'gte', value: sentAt } };
    const definition = before ? { all: [before.segment.definition, notSince] } : notSince;
    const title = named('Not reached by', name);
    const { segments } = await readOnce('audience.segment.list', { limit: 100 });
    const known = segments.find((each) => each.name === title);
    const segment = known ?? (await action.run('audience.segment.create', { name: title, definition }))?.segment;
    if (!segment) return;
    const input = { ...copyOf(broadcast), name: named('Again:', name), segmentId: segment.id };
    const made = await action.run('email.broadcast.create', input, 'Draft created.');
    if (made) go(addressOf(['email', 'broadcast', made.broadcast.id], { step: 'Review' }));
  };
  return (
    <>
      <Button
        kind="small"
        refused={refusalFor('audience.segment.create') ?? refusalFor('email.broadcast.create')}
        busy={action.busy}
        onClick={() => ask(true)}
      >
        Send to those who may get it now
      </Button>
      {asking ? (
        <Confirm
          title="Send to those who may get it now?"
          action="Create draft"
          kind="main"
          onConfirm={() => void make()}
          onClose={() => ask(false)}
        >
          <p>{broadcastTexts.leftOut}</p>
          <p>{broadcastTexts.leftOutLimits}</p>
        </Confirm>
      ) : null}
      {action.problem === undefined ? null : (
        <Dialog title="Send to those who may get it now" onClose={action.clear}>
          <Refusal error={action.problem} again={() => void make()} />
        </Dialog>
      )}
    </>
  );
}

/** For a broadcast that waits for its time: another time, or none. */
export function ScheduleButtons({ broadcast }: { broadcast: Broadcast }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button refused={refusalFor('email.broadcast.update')} onClick={() => setOpen(true)}>
        Change time
      </Button>
      {open ? <TimeDialog broadcast={broadcast} onClose={() => setOpen(false)} /> : null}
      <OperationButton
        operation="email.broadcast.update"
        input={{ broadcastId: broadcast.id, scheduledAt: null }}
        action="Unschedule"
        kind="main"
        done="Broadcast is a draft again"
      >
        <p>{broadcastTexts.unschedule}</p>
      </OperationButton>
    </>
  );
}

function TimeDialog({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const action = useAction();
  const form = useFields(`broadcast time ${broadcast.id}`, { at: localTime(broadcast.scheduledAt) });
  const { at } = form.values;
  const close = (): void => {
    form.clear();
    onClose();
  };
  const save = async (): Promise<void> => {
    const input = { broadcastId: broadcast.id, scheduledAt: timeOf(at) };
    if (await action.run('email.broadcast.update', input, 'Time changed.')) close();
  };
  const problem = at === '' ? 'Choose a time first.' : timeProblem(at);
  return (
    <FormDialog
      title="Change time"
      action="Change time"
      busy={action.busy}
      refused={problem}
      onCancel={close}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {action.problem === undefined ? null : <Refusal error={action.problem} again={() => void save()} />}
      <TextInput
        label="Time"
        type="datetime-local"
        value={at}
        onInput={(text) => form.set({ at: text })}
        hint={`Your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
      />
    </FormDialog>
  );
}
