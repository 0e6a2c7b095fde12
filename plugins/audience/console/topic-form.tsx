import { FormDialog, Refusal, TextInput, useAction, useFields } from '#core/surfaces/console/kit/index.js';
import { topicTexts } from './texts.js';

/** A key from a name: “Product news” is product-news. */
export const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

interface Typed {
  readonly name: string;
  /** Null as long as the key follows the name. */
  readonly ownKey: string | null;
  readonly description: string;
  readonly channels: readonly ('email' | 'sms')[];
  readonly isPublic: boolean;
}

const empty: Typed = { name: '', ownKey: null, description: '', channels: ['email', 'sms'], isPublic: true };

/** Creates a topic. */
export function TopicForm({ onClose, onDone }: { onClose: () => void; onDone: (key: string) => void }) {
  const form = useFields<Typed>('new topic', empty);
  const { name, ownKey, description, channels, isPublic } = form.values;
  const action = useAction();
  const key = ownKey ?? keyOf(name);
  const save = async (): Promise<void> => {
    const result = await action.run(
      'audience.topic.create',
      {
        key,
        name: name.trim(),
        channels: [...channels],
        public: isPublic,
        ...(description.trim() === '' ? {} : { description: description.trim() }),
      },
      'Topic created.',
    );
    if (!result) return;
    form.clear();
    onDone(result.topic.key);
  };
  const toggle = (channel: 'email' | 'sms', on: boolean): void =>
    form.set({ channels: on ? [...channels, channel] : channels.filter((each) => each !== channel) });
  return (
    <FormDialog
      title="Create topic"
      busy={action.busy}
      refused={
        name.trim() === ''
          ? 'Give the topic a name first.'
          : channels.length === 0
            ? 'Choose a channel first.'
            : undefined
      }
      action="Create topic"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {action.problem === undefined ? null : <Refusal error={action.problem} />}
      <TextInput label="Name that people read" value={name} onInput={(text) => form.set({ name: text })} required />
      <TextInput
        label="Key"
        value={key}
        onInput={(text) => form.set({ ownKey: text })}
        mono
        hint={topicTexts.key}
        required
      />
      <TextInput
        label="What subscribers get"
        value={description}
        onInput={(text) => form.set({ description: text })}
        lines={2}
      />
      <fieldset class="field group">
        <legend>Channels</legend>
        <div class="boxes">
          <label>
            <input
              type="checkbox"
              checked={channels.includes('email')}
              onChange={({ currentTarget }) => toggle('email', currentTarget.checked)}
            />
            Email
          </label>
          <label>
            <input
              type="checkbox"
              checked={channels.includes('sms')}
              onChange={({ currentTarget }) => toggle('sms', currentTarget.checked)}
            />
            Text messages
          </label>
        </div>
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={isPublic}
          onChange={({ currentTarget }) => form.set({ isPublic: currentTarget.checked })}
        />
        <span>{topicTexts.isPublic}</span>
      </label>
    </FormDialog>
  );
}
