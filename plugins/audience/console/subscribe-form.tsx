import { Card, CopyButton, has, OperationButton, type ResultOf } from '#core/surfaces/console/kit/index.js';
import { subscribeTexts } from './texts.js';

type Topic = ResultOf<'audience.topic.get'>['topic'];

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/** A form for another site. The names of its fields are those of plugins/audience/pages/subscribe/form.ts. */
const formFor = (name: string, url: string): string => `<form action="${escaped(url)}" method="post">
  <label>Email address <input name="email" type="email" autocomplete="email" required></label>
  <label>First name (optional) <input name="name" autocomplete="given-name" maxlength="100"></label>
  <div hidden><input name="website" tabindex="-1" autocomplete="off" aria-label="Leave this field empty"></div>
  <p>I’d like to get “${escaped(name)}” by email. I can unsubscribe at any time.</p>
  <button>Subscribe</button>
</form>`;

/** The form where people subscribe to a topic: its address, and the same form for the customer's own site. */
export function SubscribeFormCard({ topic }: { topic: Topic }) {
  const { key, name, subscribeForm: form, channels, archivedAt } = topic;
  // Without email, nobody could confirm: a form from before can only be removed.
  const hasEmail = has('email.send');
  if (archivedAt !== null) return null;
  const input = { topic: key };
  if (!form)
    return hasEmail && channels.includes('email') ? (
      <Card
        title="Subscribe form"
        beside={
          <span class="right">
            <OperationButton
              operation="audience.topic.update"
              input={{ ...input, subscribeForm: {} }}
              action="Create subscribe form"
              done="Subscribe form created"
            />
          </span>
        }
      >
        <p class="soft">{subscribeTexts.none}</p>
      </Card>
    ) : null;
  const code = formFor(name, form.url);
  return (
    <Card
      title="Subscribe form"
      beside={
        <span class="right row">
          {hasEmail ? (
            <OperationButton
              operation="audience.topic.update"
              input={input}
              fields={['subscribeForm']}
              initial={{ subscribeForm: { doubleOptIn: form.doubleOptIn, redirectUrl: form.redirectUrl } }}
              action="Change subscribe form"
              done="Subscribe form changed"
            />
          ) : null}
          <OperationButton
            operation="audience.topic.update"
            input={{ ...input, subscribeForm: null }}
            action="Remove subscribe form"
            done="Subscribe form removed"
          >
            <p>{subscribeTexts.remove}</p>
          </OperationButton>
        </span>
      }
    >
      <p>
        <a href={form.url} target="_blank" rel="noopener noreferrer">
          {form.url}
        </a>{' '}
        <CopyButton text={form.url} label="Copy the address of the form" />
      </p>
      <p class="soft">{form.doubleOptIn ? subscribeTexts.double : subscribeTexts.single}</p>
      <p class="soft">
        {subscribeTexts.embed} <CopyButton text={code} label="Copy the HTML" />
      </p>
      <pre class="text" tabIndex={0} aria-label="The form for your own site">
        {code}
      </pre>
    </Card>
  );
}
