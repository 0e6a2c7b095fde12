import { expect } from 'chai';
import {
  reserveTokens,
  readLedger,
  returnTokens,
  statusOf,
  writeLedger,
  type Entry,
  type Ledger,
  type Reservation,
} from '#core/kernel/limits/key-ledger.js';
import { limitPerKey } from '#core/kernel/limits/key-rate-limit.js';

const limit = limitPerKey.perMinute;

const entry = (facts: Partial<Entry>): Entry => ({ second: 1_000, node: 'a', tokens: 1, open: false, ...facts });

const reserve = (ledger: Ledger, node: string, wanted: number, ahead: number, now: number): Reservation =>
  reserveTokens(ledger, { node, wanted, ahead, now, limit });

describe('The ledger of a key’s minute', () => {
  it('grants what is wanted, and as much ahead as was asked', () => {
    const first = reserve([], 'a', 10, 64, 1_000);
    expect(first).to.include({ granted: 74, remaining: 526, othersMayReturn: false });
    expect(first.ledger).to.deep.equal([entry({ tokens: 74, open: true })]);
  });

  it('reserves at most a quarter of the free tokens ahead', () => {
    const most = [entry({ tokens: 500, node: 'b' })];
    expect(reserve(most, 'a', 1, 64, 1_000)).to.include({ granted: 25, remaining: 75 });
    const nearlyAll = [entry({ tokens: 596, node: 'b' })];
    expect(reserve(nearlyAll, 'a', 1, 64, 1_000)).to.include({ granted: 1, remaining: 3 });
  });

  it('never grants more than is free', () => {
    const { granted, remaining } = reserve([entry({ tokens: 595 })], 'a', 50, 64, 1_000);
    expect([granted, remaining]).to.deep.equal([5, 0]);
    expect(reserve([entry({ tokens: 600 })], 'a', 1, 0, 1_000).granted).to.equal(0);
  });

  it('forgets an entry 61 seconds after its reservation, and says when that is', () => {
    const full = [entry({ second: 1_000, tokens: 400 }), entry({ second: 1_030, tokens: 200 })];
    expect(reserve(full, 'a', 1, 0, 1_060)).to.include({ granted: 0, freeInSeconds: 1 });
    expect(reserve(full, 'a', 500, 0, 1_061).granted).to.equal(400);
    expect(reserve(full, 'a', 600, 0, 1_091).granted).to.equal(600);
  });

  it('ignores entries of the future, which a clock that was wrong has made', () => {
    for (const ahead of [60, 86_400, 8_640_000]) {
      const ledger = [entry({ second: 1_000 + ahead, tokens: 600, node: 'b' })];
      expect(reserve(ledger, 'a', 1, 0, 1_000).granted, `${ahead} s ahead`).to.equal(1);
      expect(statusOf(ledger, 1_000, limit).remaining).to.equal(600);
    }
    const slightly = [entry({ second: 1_002, tokens: 600, node: 'b' })];
    expect(reserve(slightly, 'a', 1, 0, 1_000).granted, 'of a node that is ahead a little').to.equal(0);
  });

  it('takes back what a node did not use, from its own open entries alone', () => {
    const before: Ledger = [
      entry({ tokens: 9, open: true }),
      entry({ tokens: 5, node: 'b', open: true }),
      entry({ second: 1_001, tokens: 7 }),
    ];
    expect(returnTokens(before, 'a', 4)).to.deep.equal([
      entry({ tokens: 5 }),
      entry({ tokens: 5, node: 'b', open: true }),
      entry({ second: 1_001, tokens: 7 }),
    ]);
    expect(returnTokens(before, 'a', 100).map(({ tokens }) => tokens)).to.deep.equal([0, 5, 7]);
  });

  it('counts what a node never returned as used, and waits for it two seconds at most', () => {
    const crashed = [entry({ node: 'b', tokens: 600, open: true })];
    expect(reserve(crashed, 'a', 1, 0, 1_001)).to.include({ granted: 0, othersMayReturn: true });
    expect(reserve(crashed, 'a', 1, 0, 1_002)).to.include({ granted: 0, othersMayReturn: false });
  });

  it('states what is left and when all of it is back', () => {
    const ledger = [entry({ second: 990, tokens: 10 }), entry({ second: 1_010, tokens: 20 })];
    expect(statusOf(ledger, 1_020, limit)).to.deep.equal({ remaining: 570, resetsAt: 1_071 });
    expect(statusOf(ledger, 1_060, limit)).to.deep.equal({ remaining: 580, resetsAt: 1_071 });
    expect(statusOf(ledger, 1_071, limit).remaining).to.equal(limit);
    expect(statusOf([], 1_000, limit)).to.deep.equal({ remaining: limit, resetsAt: 1_000 });
  });

  it('is read back as it was written, and an empty or foreign text is an empty ledger', () => {
    const ledger = [entry({ tokens: 3, open: true }), entry({ node: 'b' })];
    expect(readLedger(writeLedger(ledger))).to.deep.equal(ledger);
    expect(readLedger('')).to.deep.equal([]);
    expect(readLedger('{"a":1}')).to.deep.equal([]);
  });

  it('never lets a sliding minute see more than the limit, nor refuses while there is room', () => {
    // A fixed seed: every run sees the same ten thousand steps.
    let state = 42;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
    let ledger: Ledger = [];
    let now = 1_000;
    const uses: { second: number; tokens: number }[] = [];
    const inMinute = (end: number): number =>
      uses.filter((use) => use.second > end - 60 && use.second <= end).reduce((sum, use) => sum + use.tokens, 0);
    for (let step = 0; step < 10_000; step += 1) {
      if (random(3) === 0) now += random(5);
      const node = `node ${random(3)}`;
      const wanted = 1 + random(40);
      const answer = reserve(ledger, node, wanted, random(65), now);
      const used = Math.min(answer.granted, wanted);
      // What is not used at once is given back within a second.
      ledger = returnTokens(answer.ledger, node, answer.granted - used);
      uses.push({ second: now, tokens: used });
      expect(inMinute(now)).to.be.at.most(limit);
      if (used < wanted)
        expect(uses.filter((use) => use.second > now - 61).reduce((sum, use) => sum + use.tokens, 0)).to.equal(limit);
    }
  });
});
