import { expect } from 'chai';
import { renderGuarded } from '#core/messaging/templates/guarded.js';

describe('Guarded values in templates', () => {
  it('are put into HTML with very many elements', () => {
    const many = '<p>'.repeat(250_000);
    const rendered = renderGuarded(`<div>{{ code }}</div>${many}`, {}, { code: '123456' }, 'html', {});
    expect(rendered).to.deep.equal({ ok: true, text: `<div>123456</div>${many}` });
  });
});
