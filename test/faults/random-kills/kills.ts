import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import type { Random } from '../support/workload.js';
import type { Deployment, Member } from './deployment.js';
import type { Kill } from './journal.js';
import type { Violations } from './violations.js';

/** How long a stopped node stands still: longer than a lease, which lasts 30 s. */
const stoppedMs = 33_000;
const servesWithinMs = 180_000;

/** What is killed how often, of a hundred kills. */
const kinds = [
  { kind: 'node', often: 32 },
  { kind: 'both nodes', often: 14 },
  { kind: 'worker', often: 16 },
  { kind: 'database', often: 20 },
  { kind: 'SIGTERM', often: 14 },
  { kind: 'SIGSTOP', often: 4 },
] as const;

type KillKind = (typeof kinds)[number]['kind'];

/** Chooses the next kill. */
export function chooseKill(random: Random): KillKind {
  let rest = random() * kinds.reduce((sum, { often }) => sum + often, 0);
  for (const { kind, often } of kinds) {
    rest -= often;
    if (rest < 0) return kind;
  }
  return 'node';
}

const serves = (address: string): Promise<boolean> =>
  fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Waits until every node says that it is ready. @throws Error if one is not ready in time */
const allServe = ({ members }: Deployment): Promise<void> =>
  eventually(
    async () => (await Promise.all(members.map((member) => serves(member.process.address)))).every(Boolean),
    'ready nodes after a kill',
    servesWithinMs,
    20,
  );

const namesOf = (victims: readonly Member[]): string => victims.map(({ name }) => name).join();
const times = (at: number, from: number, endMs = 0) => ({
  at,
  servedAt: Date.now(),
  recoveryMs: Date.now() - from,
  endMs,
});

/**
 * Carries out one kill, and waits until its victim serves again.
 * @returns what was killed and when
 * @throws Error if something does not serve again
 */
export async function carryOut(
  kind: KillKind,
  deployment: Deployment,
  random: Random,
  violations: Violations,
): Promise<Kill> {
  const { members, server } = deployment;
  const front = members.filter(({ name }) => name !== 'worker');
  const one = (among: readonly Member[]): Member[] => among.slice(Math.floor(random() * among.length)).slice(0, 1);
  const again = (victims: readonly Member[]): Promise<unknown> => Promise.all(victims.map((each) => each.restart()));
  const killed = async (victims: readonly Member[]): Promise<Kill> => {
    const at = Date.now();
    await Promise.all(victims.map((each) => each.process.kill()));
    await again(victims);
    return { kind, victim: namesOf(victims), ...times(at, at) };
  };
  switch (kind) {
    case 'node':
      return killed(one(front));
    case 'both nodes':
      return killed(front);
    case 'worker':
      return killed(members.filter(({ name }) => name === 'worker'));
    case 'database': {
      const [pid, at] = [server.pid, Date.now()];
      process.kill(pid, 'SIGKILL');
      await eventually(() => server.pid !== pid, 'another database server', servesWithinMs);
      await allServe(deployment);
      return { kind, victim: 'database', ...times(at, at) };
    }
    case 'SIGTERM': {
      const victims = one(members);
      const at = Date.now();
      for (const { name, process: node } of victims) {
        const code = await node.stop();
        if (code !== '0')
          violations.add('SIGTERM ends a node in an orderly way', `${name} ended by ${code}: ${node.printed()}`);
      }
      const endedAt = Date.now();
      await again(victims);
      return { kind, victim: namesOf(victims), ...times(at, endedAt, endedAt - at) };
    }
    case 'SIGSTOP': {
      const victims = one(members);
      const at = Date.now();
      for (const victim of victims) {
        deployment.stopped.add(victim);
        process.kill(victim.process.pid, 'SIGSTOP');
      }
      await pause(stoppedMs);
      const continuedAt = Date.now();
      for (const { process: node } of victims) process.kill(node.pid, 'SIGCONT');
      await allServe(deployment);
      for (const victim of victims) deployment.stopped.delete(victim);
      return { kind, victim: namesOf(victims), ...times(at, continuedAt) };
    }
  }
}
