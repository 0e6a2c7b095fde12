import { expect } from 'chai';
import { painter } from '#core/surfaces/cli/colours.js';
import { exitCodeOf } from '#core/surfaces/cli/errors.js';
import { cell, table } from '#core/surfaces/cli/table.js';

describe('The output of svc', () => {
  it('is coloured only at a terminal, and not when NO_COLOR is set', () => {
    const terminal = { isTTY: true };
    expect(painter(terminal, {}).red('fix')).to.equal('\u001b[31mfix\u001b[39m');
    expect(painter(terminal, { NO_COLOR: '1' }).red('fix')).to.equal('fix');
    expect(painter(terminal, { NO_COLOR: '' }).red('fix')).to.not.equal('fix');
    expect(painter({}, {}).red('fix')).to.equal('fix');
  });

  it('drops columns from the right on a narrow terminal, and names them', () => {
    const rows = [{ id: '0189', name: 'Ada', note: 'x'.repeat(40) }];
    expect(table(rows, ['id', 'name', 'note'], undefined)).to.equal(`id    name  note\n0189  Ada   ${'x'.repeat(40)}`);
    expect(table(rows, ['id', 'name', 'note'], 30)).to.equal(
      'id    name\n0189  Ada\n(not shown: note; use --json for all fields)',
    );
  });

  it('shows each value on one line, without control characters', () => {
    expect(cell('a\nb\u001b[2J\u009b')).to.equal('a b\ufffd[2J\ufffd');
    expect(cell('2026-11-20T09:30:00.123Z')).to.equal('2026-11-20 09:30:00Z');
    expect([cell(null), cell([]), cell(['a', 'b']), cell('')]).to.deep.equal(['-', '-', 'a, b', '""']);
  });

  for (const [status, code] of [
    [400, 2],
    [401, 3],
    [402, 5],
    [403, 3],
    [404, 4],
    [405, 2],
    [408, 1],
    [409, 5],
    [410, 4],
    [413, 2],
    [429, 6],
    [500, 1],
    [503, 1],
  ] as const)
    it(`has exit code ${code} for status ${status}`, () => expect(exitCodeOf(status)).to.equal(code));
});
