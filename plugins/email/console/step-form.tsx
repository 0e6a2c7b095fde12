import {
  Labelled,
  PropertyInput,
  Button,
  Card,
  rowAt,
  SelectInput,
  textAt,
  TextInput,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { AutomationCondition } from './automation-condition.js';
import { durationOf, secondsIn } from './steps.js';

interface StepFormProps {
  step: Row;
  /** The event that starts the automation. */
  event: string;
  /** The problem of a field of the step. */
  errorOf: (field: string) => string | undefined;
  onChange: (step: Row) => void;
  onRemove: () => void;
}

const titles: Readonly<Record<string, string>> = {
  send: 'Send an email',
  wait: 'Wait',
  branch: 'Branch',
  'property.set': 'Set a property',
};

/** The fields of one step. */
export function StepForm({ step, event, errorOf, onChange, onRemove }: StepFormProps) {
  const type = textAt(step, 'type');
  return (
    <Card
      title={titles[type] ?? type}
      beside={
        <span class="right">
          <Button kind="small" icon="trash" onClick={onRemove}>
            Remove step
          </Button>
        </span>
      }
    >
      {type === 'send' ? <SendFields step={step} errorOf={errorOf} onChange={onChange} /> : null}
      {type === 'wait' ? <WaitFields step={step} errorOf={errorOf} onChange={onChange} /> : null}
      {type === 'branch' ? (
        <AutomationCondition
          condition={rowAt(step, 'if')}
          event={event}
          error={errorOf('if.field') ?? errorOf('if.value') ?? errorOf('if.op')}
          onChange={(condition) => onChange({ ...step, if: condition })}
        />
      ) : null}
      {type === 'property.set' ? (
        <>
          <TextInput
            label="Property"
            value={textAt(step, 'key')}
            onInput={(key) => onChange({ ...step, key })}
            error={errorOf('key')}
            mono
          />
          <Labelled label="Value" hint="Without a value the property is removed." error={errorOf('value')}>
            {(attributes) => (
              <PropertyInput
                attributes={attributes}
                value={step['value'] ?? ''}
                onChange={(value) => onChange({ ...step, value: value === '' ? null : value })}
              />
            )}
          </Labelled>
        </>
      ) : null}
    </Card>
  );
}

type FieldsProps = Pick<StepFormProps, 'step' | 'errorOf' | 'onChange'>;

function SendFields({ step, errorOf, onChange }: FieldsProps) {
  const templates = useRead('email.template.list', { system: false, limit: 100 });
  const topics = useRead('audience.topic.list', { limit: 100 });
  const sender = useRead('email.sender.get', {});
  const [template, topic] = [textAt(step, 'template'), textAt(step, 'topic')];
  const set = (name: string) => (value: string) => {
    const { [name]: _, ...rest } = step;
    onChange(value === '' && name === 'subject' ? rest : { ...step, [name]: value });
  };
  const known = (templates.data?.templates ?? []).map((each) => each.template);
  const keys = (topics.data?.topics ?? []).map((each) => ({ value: each.key, text: each.name }));
  const own = sender.data?.sender.from ?? sender.data?.ownAddress ?? '';
  return (
    <>
      <SelectInput
        label="Template"
        value={template}
        onChange={set('template')}
        options={[
          { value: '', text: 'Choose a template' },
          ...[...new Set([...known, ...(template === '' ? [] : [template])])].map((value) => ({ value, text: value })),
        ]}
        from={templates}
        error={errorOf('template')}
      />
      <SelectInput
        label="Topic"
        value={topic}
        onChange={set('topic')}
        options={[
          { value: '', text: 'Choose a topic' },
          ...keys,
          ...(topic === '' || keys.some(({ value }) => value === topic) ? [] : [{ value: topic, text: topic }]),
        ]}
        from={topics}
        error={errorOf('topic')}
      />
      <TextInput
        label="From"
        value={textAt(step, 'from')}
        onInput={set('from')}
        placeholder={own}
        error={errorOf('from')}
      />
      {textAt(step, 'from') === '' && own !== '' ? (
        <Button kind="small" onClick={() => set('from')(own)}>
          {`Use ${own}`}
        </Button>
      ) : null}
      <TextInput
        label="Subject"
        value={textAt(step, 'subject')}
        onInput={set('subject')}
        error={errorOf('subject')}
        hint="If it is empty, the template’s own subject is used."
      />
    </>
  );
}

function WaitFields({ step, errorOf, onChange }: FieldsProps) {
  const { count, unit } = durationOf(Number(step['seconds'] ?? 0));
  return (
    <>
      <TextInput
        label="How long"
        value={String(count)}
        error={errorOf('seconds')}
        onInput={(text) => {
          const next = Number(text);
          if (next > 0) onChange({ ...step, seconds: secondsIn(next, unit) });
        }}
      />
      <SelectInput
        label="Unit"
        value={unit}
        onChange={(next) => onChange({ ...step, seconds: secondsIn(count, next) })}
        options={['day', 'hour', 'minute', 'second'].map((value) => ({ value, text: `${value}s` }))}
      />
    </>
  );
}
