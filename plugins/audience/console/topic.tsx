import { useState } from 'preact/hooks';
import {
  ActionButton,
  addressOf,
  Button,
  Card,
  Facts,
  Head,
  Loading,
  OperationForm,
  operationNamed,
  Refusal,
  refusalFor,
  Status,
  useRead,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { topicTexts } from './texts.js';

const number = new Intl.NumberFormat('en');

/** A topic: its subscribers, how people see it, archiving and restoring it. */
export default function TopicScreen({ params: { topic: key = '' } }: ScreenProps) {
  const { data, error, again } = useRead('audience.topic.get', { topic: key });
  const [problem, setProblem] = useState<unknown>();
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
            <ActionButton
              operation="audience.topic.restore"
              input={{ topic: key }}
              kind="main"
              said="Topic restored."
              onProblem={setProblem}
            >
              Restore topic
            </ActionButton>
          ) : (
            <>
              <ActionButton
                operation="audience.topic.archive"
                input={{ topic: key }}
                said="Topic archived."
                confirm={
                  <p>
                    {number.format(granted.email)} people are subscribed by email and {number.format(granted.sms)} by
                    text. {topicTexts.archive}
                  </p>
                }
                onProblem={setProblem}
              >
                Archive topic
              </ActionButton>
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
      {problem === undefined ? null : <Refusal error={problem} />}
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
            ...(topic.description === null ? {} : { description: topic.description }),
          }}
          action="Save topic"
          onDone={() => edit(false)}
        />
      ) : null}
      <Card title="Topic">
        <Facts row={{ ...topic }} product="audience" />
      </Card>
    </>
  );
}
