import {
  addressOf,
  exactTime,
  formAddress,
  has,
  readOnce,
  refusalFor,
  type Attention,
  type HomePart,
} from '#core/surfaces/console/kit/index.js';
import { holdReasons } from './texts.js';

const days = 7;
const number = new Intl.NumberFormat('en');
const percent = (part: number, whole: number): string =>
  new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(whole === 0 ? 0 : part / whole);

const dayAt = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** The days in UTC, today included. */
const lastDays = () => readOnce('email.stats.get', { since: dayAt(1 - days), until: dayAt(1) });

/** Mail of recent broadcasts that the mail server refused at once because the address does not work. */
async function refusedAtOnce(): Promise<number> {
  if (!has('email.broadcast.list') || refusalFor('email.broadcast.list') !== undefined) return 0;
  const { broadcasts } = await readOnce('email.broadcast.list', { limit: 50 });
  const since = dayAt(1 - days);
  return broadcasts
    .filter(({ sentAt }) => sentAt !== null && sentAt >= since)
    .reduce((sum, { counts }) => sum + (counts?.refused ?? 0), 0);
}

/** Above this share of bounced mail, providers begin to refuse mail of the sender. */
const bounceLimit = 0.05;

/** Mail that is being retried for longer than this is a reason to look at the mail server. */
const retriedMs = 10 * 60_000;

/** Broadcasts that svc has stopped itself. */
async function held(): Promise<Attention[]> {
  if (!has('email.broadcast.list')) return [];
  const { broadcasts } = await readOnce('email.broadcast.list', { status: 'held', limit: 10 });
  return broadcasts.flatMap(({ id, name, holdReason }) =>
    holdReason === null || holdReason === 'paused'
      ? []
      : [
          {
            title: `${name} is on hold`,
            text: holdReasons[holdReason] ?? '',
            action: 'Show the broadcast',
            href: addressOf(['email', 'broadcast', id]),
          },
        ],
  );
}

async function retried(): Promise<Attention[]> {
  if (!has('email.stats.get')) return [];
  const { retryingSince } = await lastDays();
  if (retryingSince === null || Date.now() - Date.parse(retryingSince) < retriedMs) return [];
  return [
    {
      title: 'Email is delayed',
      text: `The mail server has not accepted the oldest email since ${exactTime(retryingSince)}. It is tried again for a day.`,
      action: 'Show what waits',
      href: addressOf(['email', 'message'], { status: 'queued' }),
    },
  ];
}

async function domainProblems(): Promise<Attention[]> {
  if (!has('email.domain.list')) return [];
  const { domains } = await readOnce('email.domain.list', { limit: 50 });
  return domains.flatMap(({ id, domain, blocker }) =>
    blocker === null
      ? []
      : [{ title: domain, text: blocker, action: 'Show the records', href: addressOf(['email', 'domain', id]) }],
  );
}

const home: HomePart = {
  steps: [
    {
      title: 'Verify a sending domain',
      text: 'Mail from your own domain arrives more reliably. Until then, svc sends from its own domain.',
      needs: 'email.domain.list',
      check: async () => {
        const { domains } = await readOnce('email.domain.list', { status: 'verified', limit: 1 });
        return domains[0] && `${domains[0].domain} is verified.`;
      },
      action: 'Add a domain',
      leadsTo: 'email.domain.add',
      href: () => addressOf(['email', 'domain'], { open: 'create' }),
    },
    {
      title: 'Choose a sender',
      text: 'The name and address that recipients see.',
      needs: 'email.sender.get',
      check: async () => {
        const { sender, ownAddress } = await readOnce('email.sender.get', {});
        return sender.from === null || sender.from === ownAddress ? undefined : sender.from;
      },
      action: 'Set the sender',
      leadsTo: 'email.sender.set',
      href: () => formAddress('email.sender.set'),
    },
    {
      title: 'Send your first email',
      text: 'To yourself, to see how it arrives.',
      needs: 'email.message.list',
      check: async () => {
        // Mail of svc itself, such as invitations, is not a first email.
        const { messages } = await readOnce('email.message.list', { limit: 20 });
        const last = messages.find(({ system }) => !system);
        return last && `${last.subject ? `“${last.subject}” ` : ''}to ${last.to.join(', ')}`;
      },
      action: 'Send an email',
      leadsTo: 'email.send',
      href: () => addressOf(['email', 'compose']),
    },
  ],
  figures: [
    {
      title: `Emails sent in ${days} days`,
      needs: 'email.stats.get',
      href: () => addressOf(['email', 'message']),
      load: async () => {
        const { days: all, total } = await lastDays();
        const ended = total.sent + total.failed + total.bounced;
        if (ended + total.queued === 0) return undefined;
        return {
          value: number.format(total.sent),
          note: `${percent(total.sent, ended)} accepted`,
          tone: 'good',
          points: all.map(({ sent }) => sent),
        };
      },
    },
    {
      title: 'Bounces',
      needs: 'email.stats.get',
      href: () => addressOf(['email', 'message'], { status: 'bounced' }),
      load: async () => {
        const [{ days: all, total }, refused] = await Promise.all([lastDays(), refusedAtOnce()]);
        const bounced = total.bounced + refused;
        const submitted = total.sent + bounced;
        if (submitted === 0) return undefined;
        return {
          value: percent(bounced, submitted),
          note: bounced === 0 ? 'None' : `${number.format(bounced)} of ${number.format(submitted)}`,
          tone: bounced / submitted > bounceLimit ? 'bad' : 'good',
          points: all.map(({ bounced }) => bounced),
        };
      },
    },
    {
      title: 'Emails waiting',
      needs: 'email.message.list',
      href: () => addressOf(['email', 'message'], { status: 'queued' }),
      load: async () => {
        const { total } = await lastDays();
        return { value: number.format(total.queued), note: total.queued === 0 ? 'Queue is clear' : 'Queued or held' };
      },
    },
  ],
  attention: async () => (await Promise.all([held(), retried(), domainProblems()])).flat(),
};

export default home;
