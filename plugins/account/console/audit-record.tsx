import {
  acting,
  addressOf,
  Card,
  Facts,
  Head,
  Loading,
  Refusal,
  Time,
  useRead,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';

/** A value before or after, as it was recorded. */
const recorded = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** One audit record: what changed, with both values, who did it, and what followed. */
export default function AuditRecord({ params }: ScreenProps) {
  const { data, error, again } = useRead('account.activity.get', { activityId: params['id'] ?? '' });
  if (error !== null && error !== undefined) return <Refusal error={error} again={again} />;
  if (!data) return <Loading />;
  const { activity, events } = data;
  const { actor, subject, changes } = activity;
  // The server shows changes and events only to callers that may read the operation's product.
  const permission = `${activity.operation.split('.', 1).join()}:read`;
  const isHidden = acting.value?.permissions.has(permission) === false;
  const request: Row = { requestId: activity.requestId, ip: activity.ip, userAgent: activity.userAgent };
  return (
    <>
      <Head title={activity.summary} beside={<span class="tag">{activity.operation}</span>} />
      <div class="two">
        <div class="stack">
          <Card title="What changed" flush={changes.length > 0}>
            {changes.length === 0 ? (
              <p class="soft">{isHidden ? `Only shown with the permission ${permission}.` : 'No field changed.'}</p>
            ) : (
              <div class="scroll" tabIndex={0} role="region" aria-label="Changes">
                <table class="changes">
                  <thead>
                    <tr>
                      <th scope="col">Field</th>
                      <th scope="col">Before</th>
                      <th scope="col">After</th>
                    </tr>
                  </thead>
                  <tbody>
                    {changes.map(({ field, from, to }) => (
                      <tr>
                        <th scope="row">
                          <code>{field}</code>
                        </th>
                        <td class="before">{recorded(from)}</td>
                        <td class="after">{recorded(to)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Card>
          <Card title="Events">
            {events.length === 0 ? (
              <p class="soft">{isHidden ? `Only shown with the permission ${permission}.` : 'It led to no events.'}</p>
            ) : (
              <ol class="line">
                {events.map((event) => (
                  <li>
                    <span class="when">
                      <Time at={event.createdAt} />
                    </span>
                    <a href={addressOf(['developers', 'event', event.id])}>{event.type}</a>
                  </li>
                ))}
              </ol>
            )}
          </Card>
        </div>
        <div class="stack">
          <Card title="Who">
            <Facts row={{ actor: actor.label, kind: actor.kind, id: actor.id }} product="account" />
          </Card>
          {subject === null ? null : (
            <Card title="Subject">
              <Facts row={subject} product="account" />
            </Card>
          )}
          <Card title="Request">
            <Facts row={{ ...request, createdAt: activity.createdAt }} product="account" />
          </Card>
        </div>
      </div>
    </>
  );
}
