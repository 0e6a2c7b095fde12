import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { hashPassword, verifyPassword } from '#plugins/auth/passwords/hash.js';

type Asker = Parameters<typeof hashPassword>[0];

/** A caller of some environment whose client waits while `isWaiting` says so. */
const asker = (id = newId(), isWaiting?: () => boolean): Asker => ({
  environment: { id, projectId: id, accountId: id, kind: 'live', closedAt: null, archivedAt: null, operator: false },
  request: { requestId: id, ip: '192.0.2.1', userAgent: null, origin: null, ...(isWaiting ? { isWaiting } : {}) },
});

/** The message of the refusal `unavailable`. */
const messageOf = (error: unknown): string =>
  error instanceof SvcError && error.code === 'unavailable' ? error.message : `no refusal: ${String(error)}`;

describe('Passwords are hashed', () => {
  const ada = asker();
  let stored = '';
  before(async function () {
    // Starting the first thread from TypeScript sources takes a while.
    this.timeout(60_000);
    stored = await hashPassword(ada, 'correct horse battery staple');
  });

  it('with argon2id, 19 MiB, two passes, one lane, and a salt of their own', async () => {
    expect(stored).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await hashPassword(ada, 'correct horse battery staple')).not.to.equal(stored);
  });

  it('and checked: only the right one fits, and nothing needs to be stored again', async () => {
    expect(await verifyPassword(ada, stored, 'correct horse battery staple')).to.deep.equal({ ok: true });
    expect(await verifyPassword(ada, stored, 'correct horse battery stapl')).to.deep.equal({ ok: false });
    expect(await verifyPassword(ada, stored, '')).to.deep.equal({ ok: false });
  });

  it('the same for every way to write a letter (NFKC), and for every kind of space', async () => {
    const hash = await hashPassword(ada, 'Ame\u0301lie Ｐａｓｓ');
    for (const typed of ['Am\u00e9lie\u00a0Pass', 'Ame\u0301lie\u3000Pass', 'Am\u00e9lie Ｐａｓｓ'])
      expect(await verifyPassword(ada, hash, typed), typed).to.deep.equal({ ok: true });
    expect(await verifyPassword(ada, hash, 'am\u00e9lie Pass')).to.deep.equal({ ok: false });
  });

  it('again with argon2id where another system’s hash fitted, as typed or in its normal form', async () => {
    // “lètmein” as Python's Werkzeug hashed it, from the composed form.
    const foreign =
      'pbkdf2:sha256:1000$tMJrCDo3mpAZw6qL$7ff2d55fee3e260ab5f32b06b1bfbe0b05c40e376c21c4479fcf7f4c98f7f039';
    for (const typed of ['l\u00e8tmein', 'le\u0300tmein']) {
      const checked = await verifyPassword(ada, foreign, typed);
      const rehash = checked.ok ? (checked.rehash ?? '') : '';
      expect(checked.ok).to.equal(true);
      expect(await verifyPassword(ada, rehash, 'l\u00e8tmein')).to.deep.equal({ ok: true });
    }
    expect(await verifyPassword(ada, foreign, 'letmein')).to.deep.equal({ ok: false });
  });

  it('and checked for nobody too, which never fits and costs the same as a wrong password', async () => {
    const cpu = async (hash: string | null): Promise<number> => {
      const times = [];
      for (let count = 0; count < 15; count += 1) {
        const started = process.cpuUsage();
        expect(await verifyPassword(ada, hash, 'wrong password')).to.deep.equal({ ok: false });
        const { user, system } = process.cpuUsage(started);
        times.push(user + system);
      }
      return times.sort((a, b) => a - b)[7] ?? 0;
    };
    const [wrong, nobody] = [await cpu(stored), await cpu(null)];
    expect(nobody / wrong).to.be.within(0.5, 2);
  });

  it('environments in turn: one that asks for a hundred delays another’s single one by a few', async () => {
    const order: string[] = [];
    const busy = asker();
    const hundred = Array.from({ length: 100 }, async () => {
      await verifyPassword(busy, stored, 'x');
      order.push('busy');
    });
    await verifyPassword(asker(), stored, 'x').then(() => order.push('other'));
    await Promise.all(hundred);
    expect(order.indexOf('other')).to.be.below(40);
  });

  it('the test environments of an account together as one: ten of them do not delay its live one', async function () {
    this.timeout(60_000);
    const accountId = newId();
    const order: string[] = [];
    const check = async (kind: 'live' | 'test', id: string): Promise<void> => {
      const { environment, request } = asker(id);
      await verifyPassword({ environment: { ...environment, accountId, kind }, request }, stored, 'x');
      order.push(kind);
    };
    const live = newId();
    const tests = Array.from({ length: 10 }, () => newId());
    await Promise.all([
      ...tests.flatMap((id) => Array.from({ length: 3 }, () => check('test', id))),
      ...Array.from({ length: 3 }, () => check('live', live)),
    ]);
    expect(order.lastIndexOf('live')).to.be.below(20);
  });

  it('unless too many wait already: that is refused at once, with the wait, and the others are served', async function () {
    this.timeout(60_000);
    const busy = asker();
    const started = performance.now();
    const all = await Promise.allSettled(
      Array.from({ length: 4_000 }, () => verifyPassword(busy, stored, 'x').then(() => performance.now() - started)),
    );
    const [refusal] = all.flatMap((each) => (each.status === 'rejected' ? [messageOf(each.reason)] : []));
    expect(refusal).to.match(/waiting to be checked, for about \d+ s/);
    const served = all.filter(({ status }) => status === 'fulfilled').length;
    expect(served).to.be.within(1, 3_999);
    expect(await verifyPassword(asker(), stored, 'correct horse battery staple')).to.deep.equal({ ok: true });
  });

  it('unless the client has left before its turn', async () => {
    const busy = asker();
    const others = Array.from({ length: 20 }, () => verifyPassword(busy, stored, 'x'));
    const left = verifyPassword(
      asker(busy.environment.id, () => false),
      stored,
      'x',
    );
    expect(await left.catch(messageOf)).to.contain('the client closed the connection');
    await Promise.all(others);
  });
});
