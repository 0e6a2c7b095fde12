import { addressOf, inGroup, listAddress } from './address.js';
import { Card, Loading } from './page.js';
import { useRead } from './read.js';
import { Refusal } from './refusal.js';
import { has, type Row } from './state.js';
import { Time } from './time.js';
import { rowsAt, textAt } from './value.js';

/** Who acted, in the words of an audit record. */
export const actorOf = (record: Row): string =>
  ['actor.email', 'actor.name', 'actor.label', 'actor.kind']
    .map((path) => textAt(record, path))
    .find((text) => text !== '') ?? '';

/** The audit records about a thing, newest first; nothing without the product that keeps them. */
export const History = ({ id }: { id: string }) => (has('account.activity.list') ? <Records id={id} /> : null);

function Records({ id }: { id: string }) {
  const { data, error } = useRead('account.activity.list', { subjectId: id, limit: 10 });
  const list = inGroup('account', 'activity', 'list');
  const records = rowsAt(data, 'activities');
  return (
    <Card
      title="History"
      beside={
        list ? (
          <a class="right" href={listAddress(list, { subjectId: id })}>
            Audit log
          </a>
        ) : undefined
      }
    >
      {error ? <Refusal error={error} /> : data === undefined ? <Loading lines={3} /> : null}
      {data !== undefined && records.length === 0 ? <p class="soft">No audit records.</p> : null}
      <ol class="line">
        {records.map((record) => (
          <li key={textAt(record, 'id')}>
            <a href={addressOf(['account', 'activity', textAt(record, 'id')])}>
              {textAt(record, 'summary') || textAt(record, 'operation')}
            </a>
            <p>
              <Time at={textAt(record, 'createdAt')} />
              {actorOf(record) === '' ? null : `, by ${actorOf(record)}`}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
