import { expect } from 'chai';
import type { SystemTemplateFacts } from '#core/kernel/system-template.js';
import { systemTemplatesOf } from '#core/messaging/system-template.js';

const facts: SystemTemplateFacts = {
  name: 'lab.code',
  channel: 'email',
  description: 'A code.',
  variables: ['code'],
  requiredVariables: ['code'],
};

describe('System templates', () => {
  it('are checked once for each list of declarations', () => {
    const systemTemplates = [{ ...facts, locales: {} }];
    expect(systemTemplatesOf({ systemTemplates })).to.deep.equal(systemTemplates);
    expect(systemTemplatesOf({ systemTemplates })).to.equal(systemTemplatesOf({ systemTemplates }));
  });

  it('are refused with an unknown channel or without texts', () => {
    const pigeon = { ...facts, channel: 'pigeon', locales: {} };
    expect(() => systemTemplatesOf({ systemTemplates: [pigeon] })).to.throw(/lab\.code .* its channel is pigeon/);
    expect(() => systemTemplatesOf({ systemTemplates: [facts] })).to.throw(/texts in `locales`/);
  });
});
