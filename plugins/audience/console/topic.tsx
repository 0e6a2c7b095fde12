import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  Facts,
  Head,
  Loading,
  OperationForm,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  Status,
  useRead,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { SubscribeFormCard } from './subscribe-form.js';
import { topicTexts } from './texts.js';

const number = new Intl.NumberFormat('en');

/** A topic: its subscribers, how people see it, archiving and restoring it. */
export default function TopicScreen({ params: { topic: key = '' } }: ScreenProps) {
  const { data, error, again } = useRead('audience.topic.get', { topic: key });
  const [editing, edit] = useState(false);
  const update = operationNamed('audience.topic.update');
  if (error)
    return (
      <>
        <Head title="Topic" />
        <Refusal error={error} again={again} />
      </>
    );
  if (!data) return <Loading />;
  const { topic, granted } = data;
  const isArchived = topic.archivedAt !== null;
  return (
    <>
      <Head
        title={topic.name}
        beside={
          <>
            {isArchived ? <Status status="archived" /> : null}
            <code>{topic.key}</code>
          </>
        }
        sub={topic.description ?? undefined}
        actions={
          isArchived ? (
            <OperationButton
              operation="audience.topic.restore"
              input={{ topic: key }}
              kind="main"
              done="Topic restored"
              action="Restore topic"
            />
          ) : (
            <>
              <OperationButton
                operation="audience.topic.archive"
                input={{ topic: key }}
                done="Topic archived"
                action="Archive topic"
              >
                <p>
                  {number.format(granted.email)} people are subscribed by email and {number.format(granted.sms)} by
                  text. {topicTexts.archive}
                </p>
              </OperationButton>
              <Button refused={refusalFor('audience.topic.update')} onClick={() => edit(!editing)}>
                Edit topic
              </Button>
              <Button
                kind="main"
                href={addressOf(['email', 'broadcast', 'new'], { topic: key })}
                refused={
                  refusalFor('email.broadcast.create') ??
                  (topic.channels.includes('email') ? undefined : 'Nobody can subscribe to it by email.')
                }
              >
                Write to subscribers
              </Button>
            </>
          )
        }
      />
      <Card>
        <dl class="numbers">
          {topic.channels.map((channel) => (
            <div key={channel}>
              <dt>{channel === 'email' ? 'Subscribed by email' : 'Subscribed by text'}</dt>
              <dd>{number.format(granted[channel])}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {editing && update ? (
        <OperationForm
          operation={update}
          fixed={{ topic: key }}
          initial={{
            name: topic.name,
            channels: topic.channels,
            public: topic.public,
            ifUnchangedSince: topic.updatedAt,
            ...(topic.description === null ? {} : { description: topic.description }),
          }}
          action="Save topic"
          onDone={() => edit(false)}
        />
      ) : null}
      <SubscribeFormCard topic={topic} />
      <Card title="Topic">
        <Facts row={{ ...topic }} product="audience" />
      </Card>
    </>
  );
}
