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
import { conditionOperators, durationOf, secondsIn } from './steps.js';

interface StepFormProps {
  step: Row;
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
export function StepForm({ step, onChange, onRemove }: StepFormProps) {
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
      {type === 'send' ? <SendFields step={step} onChange={onChange} /> : null}
      {type === 'wait' ? <WaitFields step={step} onChange={onChange} /> : null}
      {type === 'branch' ? (
        <ConditionFields condition={rowAt(step, 'if')} onChange={(condition) => onChange({ ...step, if: condition })} />
      ) : null}
      {type === 'property.set' ? (
        <>
          <TextInput label="Property" value={textAt(step, 'key')} onInput={(key) => onChange({ ...step, key })} mono />
          <Labelled label="Value" hint="Without a value the property is removed.">
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

type FieldsProps = Pick<StepFormProps, 'step' | 'onChange'>;

function SendFields({ step, onChange }: FieldsProps) {
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
      />
      <TextInput label="From" value={textAt(step, 'from')} onInput={set('from')} placeholder={own} />
      {textAt(step, 'from') === '' && own !== '' ? (
        <Button kind="small" onClick={() => set('from')(own)}>
          {`Use ${own}`}
        </Button>
      ) : null}
      <TextInput
        label="Subject"
        value={textAt(step, 'subject')}
        onInput={set('subject')}
        hint="If it is empty, the template’s own subject is used."
      />
    </>
  );
}

function WaitFields({ step, onChange }: FieldsProps) {
  const { count, unit } = durationOf(Number(step['seconds'] ?? 0));
  return (
    <>
      <TextInput
        label="How long"
        value={String(count)}
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

/** A condition of a branch, or of the start. */
export function ConditionFields({ condition, onChange }: { condition: Row; onChange: (condition: Row) => void }) {
  const op = textAt(condition, 'op');
  const needsValue = op !== 'exists' && op !== 'not_exists';
  return (
    <>
      <TextInput
        label="Field"
        value={textAt(condition, 'field')}
        onInput={(field) => onChange({ ...condition, field })}
        mono
        hint="properties.<key> of the contact, context.<key> of the event, or consent.<topic>."
      />
      <SelectInput
        label="Comparison"
        value={op}
        onChange={(next) => {
          const { value: _, ...rest } = condition;
          onChange(
            next === 'exists' || next === 'not_exists' ? { ...rest, op: next } : { value: '', ...condition, op: next },
          );
        }}
        options={conditionOperators}
      />
      {needsValue ? (
        <Labelled label="Value">
          {(attributes) => (
            <PropertyInput
              attributes={attributes}
              value={condition['value']}
              onChange={(value) => onChange({ ...condition, value })}
            />
          )}
        </Labelled>
      ) : null}
    </>
  );
}
