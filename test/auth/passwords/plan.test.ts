import { expect } from 'chai';
import { dummyHash } from '#plugins/auth/passwords/argon2.js';
import { parseHash } from '#plugins/auth/passwords/formats/parse.js';
import { passwordForms } from '#plugins/auth/passwords/normalize.js';
import { planChecks } from '#plugins/auth/passwords/plan.js';
import { standIn } from '#plugins/auth/passwords/schemes.js';

const text = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64').replace(/=+$/, '');
const bcrypt = (cost: number): string => standIn(`$2b$${String(cost).padStart(2, '0')}$${'a'.repeat(53)}`);
const pbkdf2 = (rounds: number): string => standIn(`$pbkdf2-sha512$i=${rounds},l=64$${text(16)}$${text(64)}`);
const argon2 = (memory: number, passes: number): string =>
  standIn(`$argon2id$v=19$m=${memory},t=${passes},p=1$${text(16)}$${text(32)}`);

const costOf = (hash: string): number => {
  const parsed = parseHash(hash);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.cost;
};

/** The whole cost of a wrong password. */
function costOfWrong(stored: string, schemes: readonly string[], forms: number): number {
  const plan = planChecks({ stored, schemes, forms });
  return [stored, ...plan.others].reduce((sum, hash) => sum + costOf(hash) * plan.forms, 0);
}

describe('The checks of one sign-in', () => {
  const costly = [pbkdf2(2_000_000), bcrypt(14), argon2(131_072, 8)];
  const moved = [bcrypt(12), pbkdf2(400_000)];

  it('take about two seconds at most, however many hashes and forms there are', () => {
    for (const schemes of [costly, moved, [bcrypt(10)], [bcrypt(14)], []])
      for (const stored of [dummyHash, ...schemes])
        for (const forms of [1, 2, 5, 6]) expect(costOfWrong(stored, schemes, forms)).to.be.below(2_001);
  });

  it('cost the same for every user, and for nobody', () => {
    for (const schemes of [moved, [bcrypt(10)], [bcrypt(14), bcrypt(10)], [bcrypt(4), bcrypt(5), bcrypt(6)]])
      for (const forms of [1, 2, 5]) {
        const nobody = costOfWrong(dummyHash, schemes, forms);
        for (const stored of schemes) expect(costOfWrong(stored, schemes, forms)).to.be.closeTo(nobody, 0.01);
      }
  });

  it('say for nobody and for every user alike whether all forms are tried', () => {
    for (const schemes of [costly, moved])
      for (const forms of [1, 2, 5]) {
        const { isPartial } = planChecks({ stored: dummyHash, schemes, forms });
        for (const stored of schemes)
          expect(planChecks({ stored, schemes, forms }).isPartial, `${stored} ${forms}`).to.equal(isPartial);
      }
    expect(planChecks({ stored: dummyHash, schemes: costly, forms: 1 }).isPartial).to.equal(false);
    expect(planChecks({ stored: dummyHash, schemes: costly, forms: 5 }).isPartial).to.equal(true);
    expect(planChecks({ stored: dummyHash, schemes: [bcrypt(12)], forms: 5 }).isPartial).to.equal(false);
  });

  it('begin with the text that was most likely hashed', () => {
    const typed = 'e\u0301\uFB01\u3000';
    expect(passwordForms(typed, true)[0]).to.equal('\u00e9fi ');
    expect(passwordForms(typed, false).slice(0, 2)).to.deep.equal([typed, '\u00e9\uFB01\u3000']);
    expect(new Set(passwordForms(typed, true))).to.deep.equal(new Set(passwordForms(typed, false)));
    expect(passwordForms('plain text', false)).to.deep.equal(['plain text']);
  });
});
