/*
 * Whose hash is computed next. The cost of a hash is known before it is computed, so accounts share the threads' time
 * and not the number of hashes (start-time fair queueing; Goyal, Vin, Cheng 1996), and the environments of an account
 * share its part. An account that has asked for little is never behind one that has asked for much.
 */

/** Whose turn it is. */
export interface Asking {
  readonly accountId: string;
  /** What has a share in the account: a live environment, or all test environments together. */
  readonly environmentId: string;
}

interface Waiting {
  readonly cost: number;
  readonly start: () => void;
}

/** The share of an account, or of an environment in its account. */
interface Share {
  /** The work that it has been given, in milliseconds: the share with the least is next. */
  given: number;
}

interface EnvironmentShare extends Share {
  readonly waiting: Waiting[];
}

interface AccountShare extends Share {
  running: number;
  /** `given` of the environment that had the last turn. A new environment starts there. */
  reached: number;
  readonly environments: Map<string, EnvironmentShare>;
}

export interface HashTurns {
  /** Waits for a thread. Call what it returns when the thread is free again. */
  take(asking: Asking, cost: number): Promise<() => void>;
}

const hasWaiting = ({ environments }: AccountShare): boolean =>
  [...environments.values()].some(({ waiting }) => waiting.length > 0);

const leastGiven = <T extends Share>(shares: readonly T[]): T | undefined =>
  shares.reduce<T | undefined>((least, each) => (least && least.given <= each.given ? least : each), undefined);

/**
 * @param threads hashes that are computed at the same time
 * @param perAccount how many of them one account may have
 */
export function createHashTurns({ threads, perAccount }: { threads: number; perAccount: number }): HashTurns {
  const accounts = new Map<string, AccountShare>();
  let running = 0;
  /** `given` of the account that had the last turn. A new account starts there. */
  let reached = 0;

  function shareOf({ accountId, environmentId }: Asking): EnvironmentShare {
    const account: AccountShare = accounts.get(accountId) ?? {
      given: reached,
      running: 0,
      reached: 0,
      environments: new Map(),
    };
    accounts.set(accountId, account);
    if (account.running === 0 && !hasWaiting(account)) account.given = Math.max(account.given, reached);
    const environment: EnvironmentShare = account.environments.get(environmentId) ?? {
      given: account.reached,
      waiting: [],
    };
    account.environments.set(environmentId, environment);
    if (environment.waiting.length === 0) environment.given = Math.max(environment.given, account.reached);
    return environment;
  }

  /** Forgets accounts and environments that are owed nothing more and owe nothing. */
  function prune(): void {
    for (const [id, account] of accounts) {
      for (const [environmentId, { waiting, given }] of account.environments)
        if (waiting.length === 0 && given <= account.reached) account.environments.delete(environmentId);
      if (account.running === 0 && !hasWaiting(account) && (running === 0 || account.given <= reached))
        accounts.delete(id);
    }
  }

  function dispatch(): void {
    while (running < threads) {
      const account = leastGiven(
        [...accounts.values()].filter((each) => each.running < perAccount && hasWaiting(each)),
      );
      const environment =
        account && leastGiven([...account.environments.values()].filter(({ waiting }) => waiting.length > 0));
      const next = environment?.waiting.shift();
      if (!account || !environment || !next) return;
      reached = account.given;
      account.reached = environment.given;
      account.given += next.cost;
      environment.given += next.cost;
      account.running += 1;
      running += 1;
      next.start();
    }
  }

  function release(accountId: string): void {
    const account = accounts.get(accountId);
    if (account) account.running -= 1;
    running -= 1;
    dispatch();
    prune();
  }

  return {
    take: (asking, cost) =>
      new Promise((resolve) => {
        shareOf(asking).waiting.push({ cost, start: () => resolve(() => release(asking.accountId)) });
        dispatch();
      }),
  };
}
