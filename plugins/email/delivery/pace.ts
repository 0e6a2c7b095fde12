import { setTimeout as pause } from 'node:timers/promises';
import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Lane } from '#core/runtime/work/queue.js';
import { settings } from '../deployment/settings.js';
import { stat } from 'node:fs/promises';
import type { Log } from '#core/runtime/log.js';
import type { MessageRow } from '../tables/message.js';
import { createLimiter, type Limiter, type Ticket } from './limiter.js';
import { readRates, type Rates } from '../deployment/rates.js';

/**
 * A message that has to wait longer returns to the queue. One value is for the limit of all mail, whose slots serve
 * nothing else, the other for the limit of a domain.
 */
const waitsInSlotMs = { all: 5_000, domain: 250 } as const;
/** No place is given out that would be reached later. */
const aheadMs = 15 * 60_000;
/** The number of domains whose limiters are kept; above it, unused ones are dropped. */
const maxDomains = 10_000;

/** The places of a message that has not passed all limits. */
interface Place {
  readonly tickets: readonly { readonly limiter: Limiter; readonly ticket: Ticket }[];
  /** Whether the limits of its domains are still to be passed; the limit of all mail comes last. */
  readonly isAtDomains: boolean;
  /** When the message was told to ask again. */
  readonly asksAt: number;
}

/** See DeliveryDriver. */
interface Pace {
  sendableFrom(
    message: Pick<MessageRow, 'id' | 'environmentId'>,
    waiting: readonly string[],
    lane: Lane,
  ): Promise<Date | undefined>;
  isPaced(waiting: readonly string[]): boolean;
}

/**
 * Creates the functions that keep mail within SVC_MAIL_RATE and the limits by domain (DeliveryDriver.sendableFrom), for
 * this process. A message takes one place for each recipient. Accounts and environments take turns: see Limiter.
 */
export function mailPace({
  database,
  deployment,
  clock,
  log,
}: Pick<WorkerServices, 'database' | 'deployment' | 'clock' | 'log'>): Pace {
  const { mailRate, mailRatesFile } = deployment.settingsOf(settings);
  const rates = watchRates(mailRatesFile, mailRate, log);
  const limiters = new Map<string, Limiter>();
  /** Of messages that returned to the queue until their time comes. */
  const places = new Map<string, Place>();
  const forget = createForgetting(places);

  const limiterOf = (name: string, rate: number): Limiter => {
    const known = limiters.get(name);
    if (known) {
      known.setRate(rate);
      return known;
    }
    if (limiters.size >= maxDomains) dropUnused(limiters);
    const limiter = createLimiter(rate);
    limiters.set(name, limiter);
    return limiter;
  };

  /** The limiters that a message passes next, with the number of places that it takes. */
  const limitsOf = (waiting: readonly string[], isAtDomains: boolean): { limiter: Limiter; count: number }[] => {
    const { rate, domains, otherDomains } = rates();
    if (!isAtDomains) return rate === undefined ? [] : [{ limiter: limiterOf('', rate), count: waiting.length }];
    if (domains.size === 0 && otherDomains === undefined) return [];
    const counts = new Map<string, number>();
    for (const domain of waiting.map(domainOf)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    return [...counts].flatMap(([domain, count]) => {
      const limit = domains.get(domain) ?? otherDomains;
      return limit === undefined ? [] : [{ limiter: limiterOf(domain, limit), count }];
    });
  };

  const isPaced = (waiting: readonly string[]): boolean => {
    const { rate, domains, otherDomains } = rates();
    if (rate !== undefined || otherDomains !== undefined || places.size > 0) return true;
    return domains.size > 0 && waiting.some((address) => domains.has(domainOf(address)));
  };

  const sendableFrom: Pace['sendableFrom'] = async ({ id, environmentId }, waiting, lane) => {
    const askAgain = (ms: number): Date => new Date(clock.now().getTime() + ms);
    const known = places.get(id);
    places.delete(id);
    const turns = await turnsOfEnvironment(database, environmentId);
    for (const isAtDomains of known?.isAtDomains === false ? [false] : [true, false]) {
      const isKnown = known?.isAtDomains === isAtDomains;
      // Also for a message that has its place: this tells the limiters of a rate that has changed.
      const limits = limitsOf(waiting, isAtDomains);
      let tickets: Place['tickets'] = isKnown ? known.tickets : [];
      if (!isKnown) {
        const now = performance.now();
        const waits = limits.map(({ limiter }) => limiter.waitOfNext(lane, turns, now));
        // Spread over a minute, so that messages that returned together do not come back together.
        if (Math.max(0, ...waits) > aheadMs) return askAgain(aheadMs + Math.random() * 60_000);
        tickets = limits.map(({ limiter, count }) => ({
          limiter,
          ticket: limiter.take(lane, turns, count, now),
        }));
      }
      const patience = isAtDomains && !isKnown ? waitsInSlotMs.domain : waitsInSlotMs.all;
      const left = await waitFor(tickets, patience);
      if (left === 0) continue;
      forget();
      places.set(id, { tickets, isAtDomains, asksAt: performance.now() + left });
      return askAgain(left);
    }
    return undefined;
  };

  return { sendableFrom, isPaced };
}

/**
 * Waits until all tickets are called, if that takes no longer than `patience`.
 * @returns 0 when they are; otherwise how long it will probably take, in milliseconds
 */
async function waitFor(tickets: Place['tickets'], patience: number): Promise<number> {
  const until = performance.now() + patience;
  for (;;) {
    const now = performance.now();
    const left = Math.max(0, ...tickets.map(({ limiter, ticket }) => limiter.waitOf(ticket, now)));
    if (left === 0 || now + left > until) return left;
    await pause(left);
  }
}

/** How long a message that did not ask again keeps its place: another process took it, or it was cancelled. */
const forgottenAfterMs = 60_000;

/** Creates the function that forgets the places of messages that no longer ask. It looks at most once a minute. */
function createForgetting(places: Map<string, Place>): () => void {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last < forgottenAfterMs) return;
    last = now;
    for (const [id, { asksAt }] of places) if (asksAt < now - forgottenAfterMs) places.delete(id);
  };
}

function dropUnused(limiters: Map<string, Limiter>): void {
  const now = performance.now();
  for (const [name, limiter] of limiters) if (limiter.isUnused(now)) limiters.delete(name);
}

const checkedEveryMs = 5_000;

/**
 * The limits of SVC_MAIL_RATES_FILE, and SVC_MAIL_RATE if the file has no limit for all mail. The file is read again
 * when it has changed. If it is then invalid or missing, this is logged, and the limits stay.
 * @returns the limits as they are now
 */
function watchRates(path: string | undefined, rate: number | undefined, log: Pick<Log, 'warn'>): () => Rates {
  const withRate = (rates: Rates): Rates => ({ ...rates, rate: rates.rate ?? rate });
  if (path === undefined) {
    const fixed = withRate({ rate: undefined, domains: new Map(), otherDomains: undefined });
    return () => fixed;
  }
  let current = withRate(readRates(path));
  let version: string | undefined;
  let dueAt = 0;

  const check = async (): Promise<void> => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const found = `${mtimeMs} ${size} ${ino}`;
      if (found === version) return;
      version = found;
      current = withRate(readRates(path));
    } catch (error) {
      log.warn({ err: error }, 'SVC_MAIL_RATES_FILE is not valid; the previous limits stay in force');
    }
  };
  return () => {
    if (performance.now() >= dueAt) {
      dueAt = performance.now() + checkedEveryMs;
      void check();
    }
    return current;
  };
}
