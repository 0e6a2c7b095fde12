import { expect } from 'chai';
import { families, fieldOf, operatorsOf } from '#core/surfaces/console/kit/condition-fields.js';
import { channels } from '#plugins/audience/channels.js';
import { fieldForms, fieldKindOf } from '#plugins/audience/segments/field-kinds.js';
import { parseField } from '#plugins/audience/segments/field.js';

describe('The fields of segments', () => {
  it('can all be chosen in the console', () => {
    const named = fieldForms.flatMap((form) =>
      form.includes('<channel>') ? channels.map((channel) => form.replace('<channel>', channel)) : [form],
    );
    const shown = named.map((form) => form.replace(/\.<\w+>/, ''));
    expect(families.map(({ value }) => value)).to.have.members(shown);
  });

  it('take every operator that the console offers for them', () => {
    for (const { value } of families) {
      const { operators } = fieldKindOf(parseField(fieldOf(value, 'example'), 'field'));
      expect(operators, value).to.include.members(operatorsOf(value).map((operator) => operator.value));
    }
  });

  it('can be parsed in the form that messages list', () => {
    for (const form of fieldForms) {
      const name = form.replace('<channel>', 'sms').replace(/<\w+>/, 'example');
      expect(fieldKindOf(parseField(name, 'field')).form).to.equal(form);
    }
  });
});
