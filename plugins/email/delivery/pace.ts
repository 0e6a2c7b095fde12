import { setTimeout as pause } from 'node:timers/promises';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Lane } from '#core/runtime/work/queue.js';
import { settings } from '../deployment/settings.js';
import { stat } from 'node:fs/promises';
import type { Log } from '#core/runtime/log.js';
import { readRates, type Rates } from '../deployment/rates.js';

/**
 * A message that has to wait longer returns to the queue. One value is for the limit of all mail, whose slots serve
 * nothing else, the other for the limit of a domain.
 */
const waitsInSlotMs = { all: 5_000, domain: 250 } as const;
/** The furthest time ahead for which places are taken, so that a limit that is raised takes effect soon. */
const aheadMs = 15 * 60_000;
/** If the clock is set back by less, nothing changes. */
const leastBackMs = 1_000;
/** The number of domains whose limiters are kept; above it, unused ones are dropped. */
const maxDomains = 10_000;

type Pace = (message: { readonly id: string }, waiting: readonly string[], lane: Lane) => Promise<Date | undefined>;

/**
 * Creates the function that keeps mail within SVC_MAIL_RATE and the limits by domain (DeliveryDriver.sendableFrom), for
 * this process. A message takes one slot for each recipient. System mail and single messages do not wait behind bulk
 * mail.
 */
export function mailPace({ deployment, clock, log }: Pick<WorkerServices, 'deployment' | 'clock' | 'log'>): Pace {
  const { mailRate, mailRatesFile } = deployment.settingsOf(settings);
  const rates = watchRates(mailRatesFile, mailRate, log);
  const limiters = new Map<string, Limiter>();
  /** Messages that have their place, and returned to the queue until its time comes. */
  const places = new Map<string, number>();

  const limiterOf = (name: string, rate: number): Limiter => {
    const known = limiters.get(name);
    if (known) {
      known.setRate(rate);
      return known;
    }
    if (limiters.size >= maxDomains) dropUnused(limiters, clock.now().getTime());
    const limiter = createLimiter(rate);
    limiters.set(name, limiter);
    return limiter;
  };

  /** The limiters that a message has to pass, with the number of places it takes from each. */
  const passed = (waiting: readonly string[]): { limiter: Limiter; count: number; waits: number }[] => {
    const { rate, domains, otherDomains } = rates();
    const counts = new Map<string, number>();
    if (domains.size > 0 || otherDomains !== undefined)
      for (const domain of waiting.map(domainOf)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    const byDomain = [...counts].flatMap(([domain, count]) => {
      const limit = domains.get(domain) ?? otherDomains;
      const waits = waitsInSlotMs.domain;
      return limit === undefined ? [] : [{ limiter: limiterOf(domain, limit), count, waits }];
    });
    const all =
      rate === undefined ? [] : [{ limiter: limiterOf('', rate), count: waiting.length, waits: waitsInSlotMs.all }];
    return [...byDomain, ...all];
  };

  let last = -Infinity;
  /**
   * The present time. If the clock is set back, the places move with it: otherwise all mail would wait until the clock
   * has caught up.
   */
  const timeNow = (): number => {
    const now = clock.now().getTime();
    const back = now - last;
    last = now;
    if (back > -leastBackMs || back === Infinity) return now;
    for (const limiter of limiters.values()) limiter.move(back);
    for (const [id, at] of places) places.set(id, at + back);
    return now;
  };

  return async ({ id }, waiting, lane) => {
    const now = timeNow();
    const place = places.get(id);
    if (place !== undefined) {
      if (place > now + waitsInSlotMs.all) return new Date(place);
      places.delete(id);
      await waitUntil(place, now);
      return undefined;
    }
    const limits = passed(waiting);
    if (limits.length === 0) return undefined;
    const urgent = lane !== 'bulk';
    const earliest = Math.max(...limits.map(({ limiter }) => limiter.next(urgent, now)));
    // Spread over a minute, so that messages that returned together do not come back together.
    if (earliest > now + aheadMs) return new Date(now + aheadMs + Math.random() * 60_000);
    const taken = limits.map(({ limiter, count, waits }) => ({ at: limiter.take(count, urgent, now), waits }));
    const at = Math.max(...taken.map((each) => each.at));
    if (taken.some((each) => each.at > now + each.waits)) {
      forget(places, now);
      places.set(id, at);
      return new Date(at);
    }
    await waitUntil(at, now);
    return undefined;
  };
}

async function waitUntil(at: number, now: number): Promise<void> {
  if (at > now) await pause(at - now);
}

/** Places whose message another process took, or that was cancelled. */
function forget(places: Map<string, number>, now: number): void {
  if (places.size < 50_000) return;
  for (const [id, at] of places) if (at < now - 60_000) places.delete(id);
}

function dropUnused(limiters: Map<string, Limiter>, now: number): void {
  for (const [name, limiter] of limiters) if (limiter.next(false, now) <= now) limiters.delete(name);
}

/** Spaces messages evenly, up to a number per second. Urgent messages go first. */
interface Limiter {
  /** When the next one could be sent, in milliseconds. */
  next(urgent: boolean, now: number): number;
  /** Takes the places of `count` messages. @returns the time of the first place */
  take(count: number, urgent: boolean, now: number): number;
  /** Changes the rate for future messages. */
  setRate(perSecond: number): void;
  /** Moves the places that are taken by `ms` milliseconds, with the clock. */
  move(ms: number): void;
}

/**
 * Urgent messages wait only for each other and delay the rest. Places that the rest took before are kept, so both
 * together may exceed the rate until these places are used up.
 */
export function createLimiter(perSecond: number): Limiter {
  let spacing = 1_000 / perSecond;
  let nextUrgent = -Infinity;
  let nextOther = -Infinity;
  return {
    next: (urgent, now) => Math.max(now, urgent ? nextUrgent : nextOther),
    take(count, urgent, now) {
      const at = Math.max(now, urgent ? nextUrgent : nextOther);
      const used = count * spacing;
      if (urgent) nextUrgent = at + used;
      nextOther = urgent ? Math.max(now, nextOther) + used : at + used;
      return at;
    },
    move(ms) {
      nextUrgent += ms;
      nextOther += ms;
    },
    setRate(rate) {
      spacing = 1_000 / rate;
    },
  };
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
