import { addressOf } from './address.js';
import { Card, Loading } from './page.js';
import { useRead } from './read.js';
import { Refusal } from './refusal.js';
import { has } from './state.js';
import { Time } from './time.js';
import { rowsAt, textAt } from './value.js';

/** The events about a thing, newest first; nothing without the product that keeps them. */
export const EventsOf = ({ id }: { id: string }) => (has('developers.event.list') ? <Events id={id} /> : null);

function Events({ id }: { id: string }) {
  const { data, error } = useRead('developers.event.list', { subjectId: id, limit: 20 });
  const events = rowsAt(data, 'events');
  return (
    <Card
      title="Events"
      beside={
        <a class="right" href={addressOf(['developers', 'event'], { subjectId: id })}>
          Event log
        </a>
      }
    >
      {error ? <Refusal error={error} /> : data === undefined ? <Loading lines={2} /> : null}
      {data !== undefined && events.length === 0 ? <p class="soft">No events.</p> : null}
      {events.length === 0 ? null : (
        <ul class="links">
          {events.map((event) => (
            <li key={textAt(event, 'id')} class="row">
              <a href={addressOf(['developers', 'event', textAt(event, 'id')])}>{textAt(event, 'type')}</a>
              <span class="faint right">
                <Time at={textAt(event, 'createdAt')} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
