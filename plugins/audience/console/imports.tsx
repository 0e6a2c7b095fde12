import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  CallDrawer,
  Card,
  counted,
  Head,
  Labelled,
  Loading,
  Notice,
  operationNamed,
  Refusal,
  refusalFor,
  SelectInput,
  textAt,
  TextInput,
  Time,
  useAction,
  useFields,
  useAddress,
  useRead,
  has,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { headOf, keyOf, targetFor } from './read-csv.js';
import { keepFile } from './kept-file.js';
import { importTexts } from './texts.js';

/** Contacts from a CSV: the file, where its columns go, what the people agreed to. */

const sampleRows = 3;
const fields: readonly (readonly [string, string])[] = [
  ['email', 'Email address'],
  ['phone', 'Phone number'],
  ['externalId', 'Your own id'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['locale', 'Language'],
  ['timeZone', 'Time zone'],
];
const identifiers = ['email', 'phone', 'externalId'];
const ownProperty = 'properties.';

interface File_ {
  readonly name: string;
  readonly csv: string;
}

interface Typed {
  readonly file: File_ | null;
  /** What each column fills, by its title. */
  readonly targets: Readonly<Record<string, string>>;
  readonly topic: string;
  readonly channel: 'email' | 'sms';
  readonly source: string;
  readonly wording: string;
  readonly givenAt: string;
  readonly conflict: 'update' | 'skip';
}

/** Longer files would fill the storage of the tab. */
const mostStored = 1_000_000;

const empty: Typed = {
  ...{ file: null, targets: {}, topic: '', channel: 'email', source: '' },
  ...{ wording: '', givenAt: '', conflict: 'update' },
};

export default function Imports(_: ScreenProps) {
  const { go } = useAddress();
  const form = useFields<Typed>('import', empty, ({ file: chosen }) => (chosen?.csv.length ?? 0) < mostStored);
  const { targets, topic, channel, source, wording, givenAt, conflict } = form.values;
  const file = form.values.file ?? undefined;
  const action = useAction();
  const topics = useRead('audience.topic.list', { limit: 100 });
  const head = file ? headOf(file.csv, sampleRows) : undefined;
  const columns = Object.fromEntries(
    Object.entries(targets).filter(([, target]) => target !== '' && target !== ownProperty),
  );
  const used = Object.values(columns);
  const twice = used.find((target, at) => used.indexOf(target) !== at);
  const lacking =
    file === undefined
      ? 'Choose a file or paste rows first.'
      : !used.some((target) => identifiers.includes(target))
        ? importTexts.identifier
        : twice !== undefined
          ? importTexts.twice(twice)
          : topic !== '' && source.trim() === ''
            ? 'Say where the people agreed to the topic.'
            : undefined;
  const input = {
    csv: file?.csv ?? '',
    columns,
    ...(topic === ''
      ? {}
      : {
          consents: [
            {
              topic,
              channel,
              source: source.trim(),
              ...(wording.trim() === '' ? {} : { wording: wording.trim() }),
              ...(givenAt === '' ? {} : { givenAt: new Date(givenAt).toISOString() }),
            },
          ],
        }),
    ...(conflict === 'update' ? {} : { onConflict: conflict }),
  };
  const take = (name: string, csv: string): void => {
    form.set({
      file: csv.trim() === '' ? null : { name, csv },
      targets: Object.fromEntries(headOf(csv, 0).columns.map((column) => [column, targetFor(column)])),
    });
    action.clear();
  };
  const start = async (dryRun: boolean): Promise<void> => {
    const result = await action.run('audience.contact.import', { ...input, ...(dryRun ? { dryRun } : {}) });
    if (!result) return;
    if (!dryRun) form.clear();
    keepFile(result.import.id, input);
    go(addressOf(['audience', 'import', result.import.id]));
  };
  const operation = operationNamed('audience.contact.import');
  const refused = refusalFor('audience.contact.import') ?? lacking;
  return (
    <>
      <Head title="Import contacts" sub={importTexts.sub} />
      <div class="two form">
        <div class="stack">
          <Card title="The file">
            <FilePicker onFile={take} file={file} />
          </Card>
          {head && file ? (
            <>
              <Card title="Columns" flush>
                <p class="in soft">{importTexts.columns}</p>
                <Columns
                  columns={head.columns}
                  rows={head.rows}
                  targets={targets}
                  onChange={(next) => form.set({ targets: next })}
                />
              </Card>
              <Card title="Consent">
                <p class="soft">{importTexts.consent}</p>
                <SelectInput
                  label="Topic that these people subscribed to"
                  value={topic}
                  onChange={(value) => form.set({ topic: value })}
                  options={[
                    { value: '', text: 'Record no consent' },
                    ...(topics.data?.topics ?? []).map((each) => ({ value: each.key, text: each.name })),
                  ]}
                  from={topics}
                  hint={topic === '' ? importTexts.noConsent : undefined}
                />
                {topic === '' ? null : (
                  <>
                    <SelectInput
                      label="Channel"
                      value={channel}
                      onChange={(value) => form.set({ channel: value === 'sms' ? 'sms' : 'email' })}
                      options={[
                        { value: 'email', text: 'Email' },
                        { value: 'sms', text: 'Text messages' },
                      ]}
                    />
                    <TextInput
                      label="Where they agreed"
                      value={source}
                      onInput={(text) => form.set({ source: text })}
                      hint={importTexts.source}
                      required
                    />
                    <TextInput
                      label="Words they agreed to"
                      value={wording}
                      onInput={(text) => form.set({ wording: text })}
                      lines={2}
                    />
                    <TextInput
                      label="When they agreed"
                      type="datetime-local"
                      value={givenAt}
                      onInput={(text) => form.set({ givenAt: text })}
                      hint={importTexts.givenAt}
                    />
                  </>
                )}
              </Card>
              <Card title="Import">
                <SelectInput
                  label="People who are contacts already"
                  value={conflict}
                  onChange={(value) => form.set({ conflict: value === 'skip' ? 'skip' : 'update' })}
                  options={[
                    { value: 'update', text: 'Update them with what the file says' },
                    { value: 'skip', text: 'Leave them as they are' },
                  ]}
                />
                {action.problem === undefined ? null : <Refusal error={action.problem} />}
                <div class="row">
                  <Button kind="main" icon="upload" busy={action.busy} refused={refused} onClick={() => start(false)}>
                    {action.busy ? 'Sending the file…' : 'Start import'}
                  </Button>
                  <Button busy={action.busy} refused={refused} onClick={() => start(true)}>
                    Check the file
                  </Button>
                  <span class="faint">{lacking ?? importTexts.check}</span>
                </div>
              </Card>
            </>
          ) : null}
        </div>
        <div class="stack">
          {has('account.activity.list') ? <RecentImports /> : null}
          {operation && file ? (
            <CallDrawer
              operation={operation}
              input={{ ...input, csv: `${file.csv.slice(0, 240)}${file.csv.length > 240 ? '…' : ''}` }}
            />
          ) : null}
        </div>
      </div>
    </>
  );
}

/**
 * The text of a file: UTF-8, UTF-16 if it begins with a byte order mark, and otherwise Windows-1252, which Excel
 * writes.
 */
function textOf(bytes: ArrayBuffer): { text: string; isGuessed: boolean } {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  try {
    return { text: new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes), isGuessed: false };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true };
  }
}

function FilePicker({ onFile, file }: { onFile: (name: string, csv: string) => void; file: File_ | undefined }) {
  const [over, setOver] = useState(false);
  const [guessed, setGuessed] = useState('');
  const read = (chosen: File | undefined): void => {
    if (!chosen) return;
    void chosen.arrayBuffer().then((bytes) => {
      const { text, isGuessed } = textOf(bytes);
      setGuessed(isGuessed ? chosen.name : '');
      onFile(chosen.name, text);
    });
  };
  return (
    <>
      <Labelled label="CSV file" hint={importTexts.file}>
        {(attributes) => (
          <div
            class={`drop ${over ? 'over' : ''}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              read(event.dataTransfer?.files[0]);
            }}
          >
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              {...attributes}
              onChange={({ currentTarget }) => {
                read(currentTarget.files?.[0]);
                // The same file can be chosen again after it was corrected.
                currentTarget.value = '';
              }}
            />
            <span class="soft">
              {file ? `${file.name}, ${counted(Math.ceil(file.csv.length / 1024), 'KiB')}` : 'or drop it here'}
            </span>
          </div>
        )}
      </Labelled>
      {guessed !== '' && file?.name === guessed ? <Notice>{importTexts.guessed}</Notice> : null}
      <TextInput
        label={importTexts.paste}
        value={file?.name === 'Pasted rows' ? file.csv : ''}
        onInput={(text) => onFile('Pasted rows', text)}
        lines={3}
        mono
        placeholder={'email,first name,plan\nada@example.org,Ada,pro'}
      />
    </>
  );
}

interface ColumnsProps {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  targets: Readonly<Record<string, string>>;
  onChange: (targets: Readonly<Record<string, string>>) => void;
}

/** Where each column goes, beside what it holds in the first rows. */
const Columns = ({ columns, rows, targets, onChange }: ColumnsProps) => (
  <div class="scroll" role="region" aria-label="Columns of the file" tabIndex={0}>
    <table class="mapping">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">First rows</th>
          <th scope="col">Fills</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column, at) => {
          const target = targets[column] ?? '';
          const isProperty = target.startsWith(ownProperty);
          const set = (value: string): void => onChange({ ...targets, [column]: value });
          return (
            <tr key={at}>
              <th scope="row">{column === '' ? <span class="faint">without a name</span> : column}</th>
              <td class="soft">
                {rows
                  .map((row) => row[at] ?? '')
                  .filter((cell) => cell !== '')
                  .join(' · ')}
              </td>
              <td>
                <div class="row nowrap">
                  <select
                    class="input"
                    aria-label={`Column ${column} fills`}
                    value={isProperty ? ownProperty : target}
                    disabled={column === ''}
                    onChange={({ currentTarget: { value } }) =>
                      set(value === ownProperty ? `${ownProperty}${keyOf(column)}` : value)
                    }
                  >
                    <option value="">Leave out</option>
                    {fields.map(([field, text]) => (
                      <option value={field}>{text}</option>
                    ))}
                    <option value={ownProperty}>Property</option>
                  </select>
                  {isProperty ? (
                    <input
                      class="input mono"
                      aria-label={`Key of the property for ${column}`}
                      value={target.slice(ownProperty.length)}
                      onInput={({ currentTarget: { value } }) => set(`${ownProperty}${value}`)}
                    />
                  ) : null}
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);

/** The imports that the audit log has, newest first. */
function RecentImports() {
  const { data, error, again } = useRead('account.activity.list', { operation: 'audience.contact.import', limit: 10 });
  const started: readonly {
    id: string;
    subject: object | null;
    summary: string;
    createdAt: string;
    actor: { label: string };
  }[] = data?.activities ?? [];
  return (
    <Card title="Earlier imports">
      {data === undefined && !error ? <Loading lines={2} /> : null}
      {error ? <Refusal error={error} again={again} /> : null}
      {data !== undefined && started.length === 0 ? <p class="soft">{importTexts.recent}</p> : null}
      <ol class="line">
        {started.map(({ id, subject, summary, createdAt, actor }) => (
          <li key={id}>
            <a href={addressOf(['audience', 'import', textAt(subject, 'id')])}>{summary}</a>
            <p>
              <Time at={createdAt} />, by {actor.label}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
