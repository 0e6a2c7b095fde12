import { expect } from 'chai';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { contrast, textContrast } from '#core/surfaces/pages/colour.js';
import { referencePaths } from '#core/surfaces/reference/anchors.js';
import { siteStyles } from '#core/surfaces/docs/styles.js';
import { pageReader } from './support.js';

/** The colours of one `:root { … }`. */
const coloursOf = (rule: string): Map<string, string> =>
  new Map([...rule.matchAll(/--([a-z]+): (#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [name, colour]));

describe('the appearance of the reference', () => {
  it('keeps a contrast of 4.5:1 for all text in light and dark mode', () => {
    const modes = [...siteStyles().matchAll(/:root \{([^}]*)\}/g)].map(([, rule = '']) => coloursOf(rule));
    expect(modes).to.have.length(2);
    for (const mode of modes) {
      const ink = ['text', 'muted', 'link', 'key', 'string', 'number', 'word', 'comment', 'warn', 'good', 'cost'];
      const low = ink.flatMap((name) =>
        ['ground', 'shade'].filter(
          (ground) => contrast(mode.get(name) ?? '#777777', mode.get(ground) ?? '#777777') < textContrast,
        ),
      );
      expect(low).to.deep.equal([]);
    }
  });

  it('renders 250 operations quickly and into small pages', async function () {
    this.timeout(30_000);
    const plugins = await findPlugins();
    const { operations } = createRegistry(plugins, []);
    // No product has more operations than this.
    const copied = 80;
    const copies = Array.from({ length: Math.ceil((250 - operations.size) / copied) }, (_, index) => ({
      name: `copy${index}`,
      summary: 'A copy.',
      tables: [],
      events: {},
      errors: {},
      operations: [...operations.values()].slice(0, copied).map((each) => {
        const { requires: _, ...rest } = each;
        return { ...rest, product: `copy${index}`, name: `copy${index}.${each.name}` };
      }),
    }));
    const registry = createRegistry([...plugins, ...copies], []);
    expect(registry.operations.size).to.be.at.least(250);
    const rendered = async () => {
      const pageAt = await pageReader(registry);
      return Promise.all(referencePaths(registry).map(async (path) => (await pageAt(path)).body.length));
    };
    await rendered();
    // CPU time, so that other processes count little. The limit is several times the expected time: it finds what grows
    // faster than its input.
    const before = process.cpuUsage();
    const sizes = await rendered();
    const { user } = process.cpuUsage(before);
    expect(user / 1000, 'ms').to.be.lessThan(6_000);
    expect(Math.max(...sizes)).to.be.lessThan(1_500_000);
  });
});
