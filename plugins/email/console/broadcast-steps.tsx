import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  counted,
  Facts,
  has,
  Head,
  Loading,
  refusalFor,
  SaveProblem,
  SelectInput,
  Status,
  TextInput,
  useAction,
  useAddress,
  useEdits,
  useLater,
  useRead,
  withChosen,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { BroadcastConfirm, timeProblem } from './broadcast-confirm.js';
import { draftOf, localTime, updateOf, type Draft } from './broadcast-draft.js';
import { BroadcastMail } from './broadcast-mail.js';
import { Audience, Checklist } from './readiness.js';
import { ownVariables, variablesOf } from './template-texts.js';
import { broadcastTexts } from './texts.js';

type Reply = ResultOf<'email.broadcast.get'>;

const steps = ['Content', 'Audience', 'Review', 'Schedule'] as const;
type Step = (typeof steps)[number];

interface StepsProps {
  /** Undefined for a broadcast that is not created yet. */
  reply: Reply | undefined;
  /** Values that the address gives to a new one. */
  start: Readonly<Record<string, string>>;
}

/** A draft in four steps. Each step saves what it has; the review shows what the server makes of it. */
export function BroadcastSteps({ reply, start }: StepsProps) {
  const { go, query } = useAddress();
  const broadcast = reply?.broadcast;
  const sender = useRead('email.sender.get', {});
  const step = steps.find((each) => each === query['step']) ?? 'Content';
  const record = broadcast?.id ?? ['new', start['template'], start['topic'], start['segmentId']].join(' ').trim();
  const edits = useEdits(`broadcast ${record}`, draftOf(broadcast, start), broadcast?.updatedAt ?? null);
  const draft = edits.value;
  const [asking, ask] = useState(false);
  const action = useAction();
  const from = draft.from || sender.data?.sender.from || sender.data?.ownAddress || '';
  const set = (name: keyof Draft) => (value: string) => edits.edit({ ...draft, [name]: value });
  const variables = variablesOf(draft.values);
  const contentLacks =
    draft.name.trim() === ''
      ? 'Give the broadcast a name first.'
      : draft.template === ''
        ? 'Choose a template first.'
        : undefined;
  const audienceLacks = contentLacks ?? (draft.topic === '' ? 'Choose a topic first.' : undefined);
  const show = (next: Step, id: string): void =>
    go(addressOf(['email', 'broadcast', id], next === 'Content' ? {} : { step: next }), id === broadcast?.id);

  /** Saves, and shows the next step. Before there is a topic, a new broadcast lives on this page only. */
  const saveAndShow = async (next: Step): Promise<void> => {
    if (!broadcast) {
      if (draft.topic === '') {
        show(next, 'new');
        return;
      }
      const result = await action.run('email.broadcast.create', {
        name: draft.name.trim(),
        ...{ template: draft.template, from, topic: draft.topic, variables },
        ...(draft.subject === '' ? {} : { subject: draft.subject }),
        ...(draft.segmentId === '' ? {} : { segmentId: draft.segmentId }),
      });
      if (!result) return;
      edits.discard();
      show(next, result.broadcast.id);
      return;
    }
    if (await saveChanges(broadcast.id)) show(next, broadcast.id);
  };
  /** Only what was changed on this screen, so that a save keeps what others have saved. @returns whether it is saved */
  const saveChanges = async (broadcastId: string): Promise<boolean> => {
    if (!edits.isDirty) return true;
    const input = { broadcastId, ...updateOf(edits.changes, { ...draft, from }), ...edits.guard };
    edits.begin();
    const result = await action.run('email.broadcast.update', input);
    if (result) edits.saved(draft, result.broadcast.updatedAt);
    return result !== undefined;
  };
  /** Saves the time before the dialog names it. */
  const saveTimeAndAsk = async (): Promise<void> => {
    if (broadcast && (await saveChanges(broadcast.id))) ask(true);
  };
  const send = async (): Promise<void> => {
    if (!broadcast) return;
    const broadcastId = broadcast.id;
    const result = await action.runBoth(
      // Changes nothing: it makes sure that what is sent is what was reviewed.
      ['email.broadcast.update', { broadcastId, ...edits.guard }],
      ['email.broadcast.send', { broadcastId }],
      draft.scheduledAt === '' ? 'The broadcast is being sent.' : 'The broadcast is scheduled.',
    );
    if (result) go(addressOf(['email', 'broadcast', broadcastId]), true);
  };
  const at = steps.indexOf(step);
  const refused = step === 'Content' ? contentLacks : audienceLacks;
  const people = reply?.readiness.audience?.eligible ?? 0;
  // The time that the draft has is replaced by the chosen one.
  const problems = reply?.readiness.problems.filter(({ code }) => code !== 'schedule_passed') ?? [];
  const sendRefused =
    refusalFor('email.broadcast.send') ??
    (problems.length === 0 ? undefined : 'Fix what the checklist shows first.') ??
    timeProblem(draft.scheduledAt);
  const goTo = (target: Step): void => {
    if (target !== step && refused === undefined) void saveAndShow(target);
    else if (steps.indexOf(target) < at) show(target, broadcast?.id ?? 'new');
  };
  return (
    <>
      <Head title={draft.name || 'New broadcast'} beside={<Status status="draft" />} />
      <section class="card">
        <ol class="steps">
          {steps.map((each, index) => (
            <li class={index < at ? 'done' : ''} aria-current={each === step ? 'step' : undefined}>
              <button
                type="button"
                class="link"
                disabled={index > at && refused !== undefined}
                onClick={() => goTo(each)}
              >
                {each}
              </button>
            </li>
          ))}
        </ol>
      </section>
      <SaveProblem error={action.problem} busy={action.busy} edits={edits} onMerged={action.clear} />
      {step === 'Content' ? (
        <Content {...{ draft, from, set }} setValues={(values) => edits.edit({ ...draft, values })} />
      ) : step === 'Audience' ? (
        <AudienceStep draft={draft} set={set} />
      ) : !reply ? (
        <Loading />
      ) : step === 'Review' ? (
        <div class="two">
          <div class="stack">
            <Audience audience={reply.readiness.audience} topic={reply.broadcast.topic} />
            <Checklist readiness={reply.readiness} broadcast={reply.broadcast} />
          </div>
          <BroadcastMail broadcast={reply.broadcast} />
        </div>
      ) : (
        <div class="two">
          <Card title="When">
            <fieldset class="field group">
              <legend>Send it</legend>
              <label class="check">
                <input
                  type="radio"
                  name="when"
                  checked={draft.scheduledAt === ''}
                  onChange={() => set('scheduledAt')('')}
                />
                <span>
                  Now <span class="faint">{broadcastTexts.now}</span>
                </span>
              </label>
              <label class="check">
                <input
                  type="radio"
                  name="when"
                  checked={draft.scheduledAt !== ''}
                  onChange={() => set('scheduledAt')(localTime(new Date(Date.now() + 3_600_000).toISOString()))}
                />
                <span>
                  At a time <span class="faint">{broadcastTexts.at}</span>
                </span>
              </label>
            </fieldset>
            {draft.scheduledAt === '' ? null : (
              <TextInput
                label="Time"
                type="datetime-local"
                value={draft.scheduledAt}
                onInput={set('scheduledAt')}
                hint={`Your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
              />
            )}
          </Card>
          <Card title="Broadcast">
            <Facts
              row={{ ...reply.broadcast, recipients: people }}
              only={['recipients', 'from', 'topic', 'template']}
              product="email"
            />
          </Card>
        </div>
      )}
      <div class="row">
        {at === 0 ? null : (
          <Button onClick={() => show(steps[at - 1] ?? 'Content', broadcast?.id ?? 'new')}>Back</Button>
        )}
        <span class="right soft t-small">{step === 'Schedule' ? sendRefused : refused}</span>
        {step === 'Schedule' ? (
          <Button kind="main" icon="send" busy={action.busy} refused={sendRefused} onClick={saveTimeAndAsk}>
            {draft.scheduledAt === ''
              ? `Send to ${counted(people, 'contact')}`
              : `Schedule for ${counted(people, 'contact')}`}
          </Button>
        ) : (
          <Button
            kind="main"
            busy={action.busy}
            refused={refusalFor('email.broadcast.create') ?? refused}
            onClick={() => saveAndShow(steps[at + 1] ?? 'Schedule')}
          >
            {`Continue to ${(steps[at + 1] ?? '').toLowerCase()}`}
          </Button>
        )}
      </div>
      {asking ? (
        <BroadcastConfirm draft={draft} people={people} onConfirm={() => void send()} onClose={() => ask(false)} />
      ) : null}
    </>
  );
}

interface PartProps {
  draft: Draft;
  set: (name: keyof Draft) => (value: string) => void;
}

interface ContentProps extends PartProps {
  from: string;
  setValues: (values: Record<string, string>) => void;
}

function Content({ draft, from, set, setValues }: ContentProps) {
  const { values } = draft;
  const templates = useRead('email.template.list', { system: false, limit: 100 });
  const listed = templates.data?.templates ?? [];
  const chosen = listed.find(({ template }) => template === draft.template);
  const named = ownVariables([...(chosen?.variables ?? []), ...Object.keys(values)]);
  const settled = useLater(values);
  const known = listed.map(({ template, publishedVersion }) => ({
    value: template,
    text: publishedVersion === null ? `${template} (not published)` : template,
  }));
  return (
    <div class="two">
      <Card title="Content">
        <TextInput label="Name" value={draft.name} onInput={set('name')} required hint={broadcastTexts.name} />
        <SelectInput
          label="Template"
          value={draft.template}
          onChange={set('template')}
          required
          options={[{ value: '', text: 'Choose a template' }, ...known]}
          from={templates}
          hint={<a href={addressOf(['email', 'template'])}>Create or edit templates</a>}
        />
        <TextInput label="Subject" value={draft.subject} onInput={set('subject')} hint={broadcastTexts.subject} />
        <TextInput label="From" value={draft.from || from} onInput={set('from')} hint={broadcastTexts.from} />
        {named.length === 0 ? null : (
          <fieldset class="field group">
            <legend>Values of the template’s variables</legend>
            <span class="hint">{broadcastTexts.variables}</span>
            {named.map((name) => (
              <TextInput
                key={name}
                label={name}
                value={values[name] ?? ''}
                onInput={(value) => setValues({ ...values, [name]: value })}
              />
            ))}
          </fieldset>
        )}
      </Card>
      {draft.template === '' ? null : <BroadcastMail broadcast={{ ...draft, from, variables: variablesOf(settled) }} />}
    </div>
  );
}

function AudienceStep({ draft, set }: PartProps) {
  const topics = useRead('audience.topic.list', { limit: 100 });
  const segments = useRead('audience.segment.list', { limit: 100 }, { enabled: has('audience.segment.list') });
  const topic = useRead('audience.topic.get', { topic: draft.topic }, { enabled: draft.topic !== '' });
  const segment = useRead('audience.segment.get', { segmentId: draft.segmentId }, { enabled: draft.segmentId !== '' });
  return (
    <Card title="Audience">
      <SelectInput
        label="Topic"
        value={draft.topic}
        onChange={set('topic')}
        required
        options={withChosen(
          [
            { value: '', text: 'Choose a topic' },
            ...(topics.data?.topics ?? [])
              .filter(({ channels }) => channels.includes('email'))
              .map((each) => ({ value: each.key, text: each.name })),
          ],
          draft.topic,
          topic.data?.topic.name,
        )}
        from={topics}
        hint={
          <>
            {broadcastTexts.topic}{' '}
            {draft.topic !== '' && topic.data?.topic.key === draft.topic
              ? `${counted(topic.data.granted.email, 'contact')} subscribed by email.`
              : ''}
          </>
        }
      />
      <SelectInput
        label="Segment"
        value={draft.segmentId}
        onChange={set('segmentId')}
        options={withChosen(
          [
            { value: '', text: 'Everybody who subscribed' },
            ...(segments.data?.segments ?? []).map((each) => ({ value: each.id, text: each.name })),
          ],
          draft.segmentId,
          segment.data?.segment.name,
        )}
        from={segments}
        hint={
          <>
            {broadcastTexts.segment}{' '}
            {draft.segmentId !== '' && segment.data ? `${counted(segment.data.size, 'contact')} match it now.` : ''}
          </>
        }
      />
    </Card>
  );
}
