import { expect } from 'chai';
import { SvcError } from '#core/kernel/errors/errors.js';
import { newId } from '#core/runtime/id.js';
import { markTemplateReferenced } from '#plugins/email/templates/references.js';
import { usePlatform } from '#test/support/platform.js';

describe('templates in use', () => {
  const platform = usePlatform();

  it('must be published', async () => {
    const { live } = await platform.account();
    const refused = await platform.running.services
      .transaction('Test', (context) =>
        markTemplateReferenced(context, live.id, 'welcome', { type: 'broadcast', id: newId() }),
      )
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(SvcError).and.to.include({ code: 'template_not_published', status: 409 });
  });
});
