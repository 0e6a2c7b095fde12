import {
  exactTime,
  Notice,
  OperationButton,
  rowsAt,
  textAt,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

const words: Readonly<Record<string, { title: string; seen: string }>> = {
  start: {
    title: 'Too many sign-ins were started',
    seen: 'They see “Too many attempts” when they ask for a code or enter their password.',
  },
  password: { title: 'Too many wrong passwords', seen: 'They see “Too many attempts” when they enter their password.' },
  code: {
    title: 'Too many wrong codes',
    seen: 'They see “Too many attempts” when they enter a code, also the right one.',
  },
  second_factor: {
    title: 'Too many wrong codes of the authenticator app',
    seen: 'No code of their authenticator app is accepted. A recovery code works.',
  },
};

/** What refuses the sign-ins of a user now, what they see, and the button that lifts it. */
export function SignInLimits({ userId }: { userId: string }) {
  const { data } = useRead('auth.user.get', { userId, withLimits: true });
  const limits = rowsAt(data, 'limits');
  if (limits.length === 0) return null;
  const seen = [...new Set(limits.map((each) => words[textAt(each, 'kind')]?.seen ?? ''))];
  return (
    <Notice
      tone="warn"
      action={
        <OperationButton
          operation="auth.user.update"
          action="Lift the limit"
          kind="small"
          input={{ userId, liftLimits: true }}
          fields={['ipAddresses']}
          done="Limit lifted"
        >
          <p>{texts.liftLimits}</p>
        </OperationButton>
      }
    >
      <p>
        <b>They cannot sign in for now.</b> {seen.join(' ')}
      </p>
      <ul class="plain">
        {limits.map((each) => (
          <li key={`${textAt(each, 'kind')} ${textAt(each, 'identity')} ${textAt(each, 'ip')}`}>{lineOf(each)}</li>
        ))}
      </ul>
    </Notice>
  );
}

const lineOf = (limit: Row): string => {
  const [identity, ip] = [textAt(limit, 'identity'), textAt(limit, 'ip')];
  const title = words[textAt(limit, 'kind')]?.title ?? textAt(limit, 'kind');
  return `${title}${identity === '' ? '' : ` for ${identity}`}${ip === '' ? '' : ` from ${ip}`}, until ${exactTime(textAt(limit, 'resetsAt'))}.`;
};
