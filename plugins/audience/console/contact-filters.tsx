import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  Button,
  operationNamed,
  rowsAt,
  SelectInput,
  textAt,
  useAddress,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { described } from './described.js';
import { hasUnfinished, newGroup, newRule, toBuilder, toDefinition, type Group } from './definition.js';
import { GroupBuilder } from './segment-rules.js';

/** What the address of the list holds. Whom somebody searches for is not in it: addresses of screens are logged. */
export interface ContactFilter {
  readonly segmentId: string;
  readonly topic: string;
  readonly channel: '' | 'email' | 'sms';
  readonly definition: Row | undefined;
}

const parsed = (text: string | undefined): Row | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
};

export function useContactFilter(): ContactFilter & { set: (changes: Readonly<Record<string, string>>) => void } {
  const { query, go } = useAddress();
  const channel = query['channel'];
  return {
    segmentId: query['segmentId'] ?? '',
    topic: query['topic'] ?? '',
    channel: channel === 'email' || channel === 'sms' ? channel : '',
    definition: parsed(query['definition']),
    set(changes) {
      const { before: _, ...kept } = query;
      const next = Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== '');
      const text = new URLSearchParams(next).toString();
      go(`${location.pathname}${text === '' ? '' : `?${text}`}`);
    },
  };
}

/** The input of audience.contact.list for the filters and a search. */
export const listInput = ({ segmentId, topic, channel, definition }: ContactFilter, search: string): Row => ({
  ...(segmentId === '' ? {} : { segmentId }),
  ...(topic === '' ? {} : { topic }),
  ...(channel === '' ? {} : { channel }),
  ...(definition === undefined ? {} : { definition }),
  ...(search === '' ? {} : { query: search }),
});

/** A chip that shows what is chosen and opens a panel. */
function Chip({
  title,
  shown,
  children,
}: {
  title: string;
  shown: string;
  children: (close: () => void) => ComponentChildren;
}) {
  const [box, setBox] = useState<HTMLDetailsElement | null>(null);
  const close = (): void => {
    if (!box) return;
    box.open = false;
    box.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={setBox}
      class="filter-box"
      name="filter"
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <summary class={`filter ${shown === '' ? '' : 'on'}`}>
        {title} {shown === '' ? null : <b>{shown}</b>}
      </summary>
      <div class="panel stack">{children(close)}</div>
    </details>
  );
}

/** Filters by segment, subscription and conditions on properties, dates and events. */
export function ContactFilters() {
  const filter = useContactFilter();
  const { segmentId, topic, channel, definition, set } = filter;
  const segments = useRead(
    'audience.segment.list',
    { limit: 100 },
    { enabled: operationNamed('audience.segment.list') !== undefined },
  );
  const topics = useRead('audience.topic.list', { limit: 100 });
  const segmentRows = rowsAt(segments.data, 'segments');
  const topicRows = rowsAt(topics.data, 'topics');
  const nameIn = (rows: readonly Row[], field: string, value: string): string =>
    textAt(
      rows.find((row) => textAt(row, field) === value),
      'name',
    ) || value;
  const on = { '': '', email: ' by email', sms: ' by text' }[channel];
  return (
    <>
      <Chip title="Segment" shown={nameIn(segmentRows, 'id', segmentId)}>
        {(close) => (
          <SelectInput
            label="Segment"
            value={segmentId}
            from={segments}
            options={[
              { value: '', text: 'All contacts' },
              ...segmentRows.map((row) => ({ value: textAt(row, 'id'), text: textAt(row, 'name') })),
            ]}
            onChange={(value) => {
              set({ segmentId: value });
              close();
            }}
          />
        )}
      </Chip>
      <Chip
        title="Subscribed to"
        shown={topic === '' ? (channel === '' ? '' : `anything${on}`) : nameIn(topicRows, 'key', topic) + on}
      >
        {() => (
          <>
            <SelectInput
              label="Topic"
              value={topic}
              from={topics}
              options={[
                { value: '', text: 'Any topic' },
                ...topicRows.map((row) => ({ value: textAt(row, 'key'), text: textAt(row, 'name') })),
              ]}
              onChange={(value) => set({ topic: value })}
            />
            <SelectInput
              label="Channel"
              value={channel}
              options={[
                { value: '', text: 'Email or text' },
                { value: 'email', text: 'Email' },
                { value: 'sms', text: 'Text' },
              ]}
              onChange={(value) => set({ channel: value })}
            />
          </>
        )}
      </Chip>
      <Chip title="Property or date" shown={definition === undefined ? '' : described(definition).slice(0, 60)}>
        {(close) => (
          <Conditions
            key={JSON.stringify(definition)}
            definition={definition}
            onSet={(next) => {
              set({ definition: next === undefined ? '' : JSON.stringify(next) });
              close();
            }}
          />
        )}
      </Chip>
    </>
  );
}

interface ConditionsProps {
  definition: Row | undefined;
  onSet: (definition: Row | undefined) => void;
}

function Conditions({ definition, onSet }: ConditionsProps) {
  const start = useMemo(() => (definition && toBuilder(definition)) ?? newGroup([newRule()]), []);
  const [group, setGroup] = useState<Group>(start);
  const known = toDefinition(group);
  return (
    <>
      <GroupBuilder group={group} onChange={setGroup} level={1} />
      <div class="row">
        <Button
          kind="main"
          refused={known === undefined || hasUnfinished(group) ? 'Complete every condition first.' : undefined}
          onClick={() => onSet(known)}
        >
          Apply filter
        </Button>
        {definition === undefined ? null : <Button onClick={() => onSet(undefined)}>Remove filter</Button>}
      </div>
    </>
  );
}
