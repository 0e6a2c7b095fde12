import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { root } from '#test/docs/shell-blocks.js';
import { at, listAt } from '#test/support/json.js';

const run = promisify(execFile);
const folder = join(root, 'examples/operating/prometheus');
const read = async (file: string): Promise<unknown> => parse(await readFile(join(folder, file), 'utf8'));

describe('examples/operating: the alerts in Prometheus', function () {
  this.timeout(300_000);

  it('have a case each in which they fire', async () => {
    const alerts = listAt(await read('alerts.yaml'), 'groups')
      .flatMap((group) => listAt(group, 'rules'))
      .map((rule) => String(at(rule, 'alert')));
    const checks = listAt(await read('alerts.test.yaml'), 'tests').flatMap((each) => listAt(each, 'alert_rule_test'));
    const fired = checks.filter((check) => listAt(check, 'exp_alerts').length > 0);
    expect(new Set(fired.map((check) => at(check, 'alertname')))).to.deep.equal(new Set(alerts));
  });

  // Debian has it in the package `prometheus`.
  it('fire as their cases say, by promtool', async function () {
    const hasPromtool = await run('promtool', ['--version']).then(
      () => true,
      () => false,
    );
    if (!hasPromtool) this.skip();
    await run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: folder });
    const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: folder });
    expect(stdout).to.contain('SUCCESS');
  });
});
