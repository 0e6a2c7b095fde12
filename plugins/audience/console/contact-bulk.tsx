import { useRef, useState } from 'preact/hooks';
import {
  Button,
  call,
  counted,
  Dialog,
  isSvcError,
  Notice,
  Progress,
  propertyValue,
  refreshAll,
  refusalFor,
  rowAt,
  rowsAt,
  SelectInput,
  TextInput,
  textAt,
  useFields,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { forEachRow } from './contact-pages.js';
import { contactTexts } from './contact-texts.js';

type Kind = 'topic' | 'property' | 'suppress' | 'erase';

const actions = {
  topic: { button: 'Add to a topic', title: 'Add contacts to a topic', needs: 'audience.consent.grant' },
  property: { button: 'Set a property', title: 'Set a property', needs: 'audience.contact.update' },
  suppress: { button: 'Suppress', title: 'Suppress contacts', needs: 'audience.suppression.add' },
  erase: { button: 'Erase', title: 'Erase contacts', needs: 'audience.contact.delete' },
} as const;
const kinds = ['topic', 'property', 'suppress', 'erase'] as const;

interface BulkProps {
  rows: readonly Row[];
  /** How many match the filters; undefined if it is not known, or if all are selected. */
  size: number | undefined;
  onAll: () => void;
  onNone: () => void;
}

/** What can be done with the selected contacts. */
export function BulkBar({ rows, size, onAll, onNone }: BulkProps) {
  const [open, setOpen] = useState<Kind>();
  return (
    <div class="bulk" role="region" aria-label="Selected contacts">
      <b role="status">{rows.length.toLocaleString('en')} selected</b>
      {kinds.map((kind) => (
        <Button
          key={kind}
          kind={kind === 'erase' ? 'danger' : 'small'}
          refused={refusalFor(actions[kind].needs)}
          onClick={() => setOpen(kind)}
        >
          {actions[kind].button}
        </Button>
      ))}
      <span class="right" />
      {size === undefined ? null : (
        <Button kind="bare" onClick={onAll}>
          Select all {size.toLocaleString('en')}
        </Button>
      )}
      <Button kind="bare" onClick={onNone}>
        Clear selection
      </Button>
      {open === undefined ? null : (
        <BulkDialog
          kind={open}
          rows={rows}
          onClose={(isDone) => {
            setOpen(undefined);
            if (isDone) onNone();
          }}
        />
      )}
    </div>
  );
}

interface Given {
  topic: string;
  channel: 'email' | 'sms';
  source: string;
  key: string;
  value: string;
  note: string;
}
const nothing: Given = { topic: '', channel: 'email', source: '', key: '', value: '', note: '' };

const reachedBy = (row: Row): { email: string } | { phone: string } | undefined => {
  const [email, phone] = [textAt(row, 'email'), textAt(row, 'phone')];
  return email === '' ? (phone === '' ? undefined : { phone }) : { email };
};

/** The calls of one contact. */
async function change(kind: Kind, row: Row, { topic, channel, source, key, value, note }: Given): Promise<void> {
  const contactId = textAt(row, 'id');
  if (kind === 'topic') await call('audience.consent.grant', { contactId, topic, channel, source });
  else if (kind === 'property')
    await call('audience.contact.update', {
      contactId,
      properties: { [key]: value === '' ? null : propertyValue(value) },
    });
  else if (kind === 'erase') await call('audience.contact.delete', { contactId });
  else {
    const [email, phone] = [textAt(row, 'email'), textAt(row, 'phone')];
    const given = note === '' ? {} : { note };
    if (email !== '') await call('audience.suppression.add', { email, ...given });
    if (phone !== '') await call('audience.suppression.add', { phone, ...given });
  }
}

/** The contacts that an action concerns; the others are counted beside it. */
const concerned = (kind: Kind, rows: readonly Row[], { channel }: Given): readonly Row[] =>
  kind === 'topic'
    ? rows.filter((row) => textAt(row, channel === 'email' ? 'email' : 'phone') !== '')
    : kind === 'suppress'
      ? rows.filter((row) => reachedBy(row) !== undefined)
      : rows;

const lacking = (kind: Kind, { topic, source, key }: Given): string | undefined =>
  kind === 'topic' && topic === ''
    ? 'Choose a topic first.'
    : kind === 'topic' && source.trim() === ''
      ? 'Say where they agreed first.'
      : kind === 'property' && key.trim() === ''
        ? 'Name the property first.'
        : undefined;

function BulkDialog({ kind, rows, onClose }: { kind: Kind; rows: readonly Row[]; onClose: (isDone: boolean) => void }) {
  const { values, set, clear } = useFields<Given>(`contacts ${kind}`, nothing);
  const [done, setDone] = useState<number>();
  const [outcome, setOutcome] = useState<{
    readonly text: string;
    readonly refused: readonly string[];
    readonly undo?: () => Promise<void>;
  }>();
  const isWanted = useRef(true);
  const chosen = concerned(kind, rows, values);
  const left = rows.length - chosen.length;

  const walk = async (act: (row: Row) => Promise<void>): Promise<{ count: number; refused: readonly string[] }> => {
    isWanted.current = true;
    setDone(0);
    const state = { done: 0 };
    const refused = await forEachRow(chosen, act, (count) => {
      state.done = count;
      setDone(count);
      return isWanted.current;
    });
    setDone(undefined);
    void refreshAll();
    const reasons = refused.map(({ error }) => (isSvcError(error) ? error.message : 'The server cannot be reached.'));
    return { count: state.done - refused.length, refused: [...new Set(reasons)] };
  };
  const start = async (): Promise<void> => {
    const { count, refused } = await walk((row) => change(kind, row, values));
    const { key } = values;
    const undo = async (): Promise<void> => {
      const back = await walk(async (row) => {
        const before = rowAt(row, 'properties')[key];
        const isKnown = typeof before === 'string' || typeof before === 'number' || typeof before === 'boolean';
        await call('audience.contact.update', {
          contactId: textAt(row, 'id'),
          properties: { [key]: isKnown ? before : null },
        });
      });
      setOutcome({ text: `Undone for ${counted(back.count, 'contact')}.`, refused: back.refused });
    };
    setOutcome({
      text: `Done for ${counted(count, 'contact')}.`,
      refused,
      ...(kind === 'property' ? { undo } : {}),
    });
  };
  const close = (): void => {
    isWanted.current = false;
    clear();
    onClose(outcome !== undefined);
  };
  const { title, button } = actions[kind];
  return (
    <Dialog title={title} onClose={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (lacking(kind, values) === undefined && done === undefined && outcome === undefined) void start();
        }}
      >
        {outcome === undefined ? (
          <>
            <p class="soft">{contactTexts[kind]}</p>
            <BulkFields kind={kind} values={values} set={set} />
            <p role="status">
              {done === undefined
                ? `${counted(chosen.length, 'contact')} will change.${left === 0 ? '' : ` Without an address for it: ${left}.`}`
                : `${done.toLocaleString('en')} of ${counted(chosen.length, 'contact')}`}
            </p>
            {done === undefined ? null : <Progress label={title} done={done} total={chosen.length} />}
          </>
        ) : (
          <Notice tone={outcome.refused.length === 0 ? 'good' : 'warn'}>
            <p role="status">
              <b>{outcome.text}</b> {outcome.refused.slice(0, 3).join(' ')}
            </p>
          </Notice>
        )}
        <div class="row end">
          {outcome?.undo && done === undefined ? <Button onClick={outcome.undo}>Undo</Button> : null}
          <Button kind="bare" onClick={done === undefined ? close : () => (isWanted.current = false)}>
            {done !== undefined ? 'Stop here' : outcome === undefined ? 'Cancel' : 'Close'}
          </Button>
          {outcome === undefined ? (
            <Button
              kind={kind === 'erase' || kind === 'suppress' ? 'danger' : 'main'}
              submit
              busy={done !== undefined}
              refused={
                lacking(kind, values) ?? (chosen.length === 0 ? 'None of them has an address for it.' : undefined)
              }
            >
              {`${button}: ${counted(chosen.length, 'contact')}`}
            </Button>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}

function BulkFields({ kind, values, set }: { kind: Kind; values: Given; set: (changed: Partial<Given>) => void }) {
  const topics = useRead('audience.topic.list', { limit: 100 }, { enabled: kind === 'topic' });
  if (kind === 'topic')
    return (
      <>
        <SelectInput
          label="Topic"
          value={values.topic}
          from={topics}
          options={[
            { value: '', text: 'Choose a topic' },
            ...rowsAt(topics.data, 'topics').map((row) => ({ value: textAt(row, 'key'), text: textAt(row, 'name') })),
          ]}
          onChange={(topic) => set({ topic })}
          required
        />
        <SelectInput
          label="Channel"
          value={values.channel}
          options={[
            { value: 'email', text: 'Email' },
            { value: 'sms', text: 'Text' },
          ]}
          onChange={(channel) => set({ channel: channel === 'sms' ? 'sms' : 'email' })}
        />
        <TextInput
          label="Where they agreed"
          value={values.source}
          onInput={(source) => set({ source })}
          hint={contactTexts.source}
          required
        />
      </>
    );
  if (kind === 'property')
    return (
      <>
        <TextInput label="Property" value={values.key} onInput={(key) => set({ key })} placeholder="plan" required />
        <TextInput
          label="Value"
          value={values.value}
          onInput={(value) => set({ value })}
          hint="Empty removes the property."
        />
      </>
    );
  return kind === 'suppress' ? (
    <TextInput label="Note" value={values.note} onInput={(note) => set({ note })} hint="Kept with each suppression." />
  ) : null;
}
