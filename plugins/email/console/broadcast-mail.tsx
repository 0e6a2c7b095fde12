import { useState } from 'preact/hooks';
import { Button, Card, EmailPreview, Loading, Refusal, refusalFor, useRead } from '#core/surfaces/console/kit/index.js';
import { TestMail } from './test-mail.js';

interface BroadcastMailProps {
  broadcast: {
    readonly template: string;
    readonly subject: string | null;
    readonly topic: string;
    readonly from: string;
    readonly variables: Record<string, unknown>;
  };
}

/** The email of a broadcast, from the published template, and a test to oneself. */
export function BroadcastMail({ broadcast }: BroadcastMailProps) {
  const { template, subject, topic, from, variables } = broadcast;
  const [testing, test] = useState(false);
  const { data, error } = useRead('email.template.preview', {
    template,
    draft: false,
    variables,
    ...(topic === '' ? {} : { topic }),
  });
  const mail = data && { ...data, ...(subject ? { subject } : {}) };
  return (
    <Card
      title="Preview"
      flush
      beside={
        <span class="right">
          <Button
            kind="small"
            refused={refusalFor('email.send') ?? (mail ? undefined : 'The template cannot be shown yet.')}
            onClick={() => test(true)}
          >
            Send me a test
          </Button>
        </span>
      }
    >
      {error ? (
        <div class="in">
          <Refusal error={error} />
        </div>
      ) : mail ? (
        <EmailPreview html={mail.html} text={mail.text}>
          <p class="mail-subject">
            <b>{mail.subject}</b>
            <br />
            <span class="faint">{from}</span>
          </p>
        </EmailPreview>
      ) : (
        <Loading />
      )}
      {testing ? <TestMail preview={{ mail, missing: data?.missing ?? [] }} onClose={() => test(false)} /> : null}
    </Card>
  );
}
