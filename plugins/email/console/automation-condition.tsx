import { ConditionRow, textAt, type ConditionValues, type Row } from '#core/surfaces/console/kit/index.js';

interface ConditionProps {
  condition: Row;
  /** The event that starts the automation: its properties are offered. */
  event: string;
  error: string | undefined;
  onChange: (condition: Row) => void;
}

const isConsent = (field: string): boolean => field.startsWith('consent.');

/** The consent of an automation is true or false. People choose “subscribed” or “unsubscribed”. */
const shown = (condition: Row): ConditionValues => {
  const { field, op, value } = {
    field: textAt(condition, 'field'),
    op: textAt(condition, 'op'),
    value: condition['value'],
  };
  return { field, op, value: isConsent(field) && typeof value === 'boolean' ? (value ? 'granted' : 'revoked') : value };
};

const sent = ({ field, op, value }: ConditionValues): Row =>
  op === 'exists' || op === 'not_exists'
    ? { field, op }
    : { field, op, value: isConsent(field) ? value === 'granted' : value };

/** A condition of a branch, or of the start. */
export const AutomationCondition = ({ condition, event, error, onChange }: ConditionProps) => (
  <ConditionRow
    ofAutomation
    condition={shown(condition)}
    event={event}
    error={error}
    onChange={(next) => onChange(sent(next))}
  />
);
