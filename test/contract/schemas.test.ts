import { expect } from 'chai';
import { notBlank, phonePattern, propertiesOf } from '#core/kernel/schema/schema.js';
import { allOperations } from './support/operations.js';
import { allProperties, inputProperties, isDescribed, patternsIn } from './support/schemas.js';

const placesOf = (properties: typeof allProperties): string[] => properties.map(({ place }) => place);

describe('Schemas', () => {
  it('describe every property of every input, reply and event', () => {
    expect(placesOf(allProperties.filter(({ schema }) => !isDescribed(schema)))).to.deep.equal([]);
  });

  it('have patterns that every regular expression engine understands', () => {
    // No Unicode classes, look-around, named groups or escapes of single engines.
    const unusual = /\\[pPuUkKAzZbBhHvVRXQE]|\(\?/;
    for (const { place, schema } of allProperties)
      expect(
        patternsIn(schema).filter((pattern) => unusual.test(pattern)),
        place,
      ).to.deep.equal([]);
  });

  it('refuse blank names, reasons, sources and message texts', () => {
    const words = new Set(['name', 'projectName', 'reason', 'source', 'subject', 'text', 'html']);
    const blank = inputProperties.filter(
      ({ name, schema }) =>
        words.has(name) &&
        schema['type'] === 'string' &&
        !('enum' in schema) &&
        !patternsIn(schema).some((pattern) => pattern === notBlank || !new RegExp(pattern, 'u').test(' ')),
    );
    expect(placesOf(blank)).to.deep.equal([]);
  });

  it('refuse an empty cursor, an empty number and a number without a country code', () => {
    const cursors = inputProperties.filter(({ name }) => name === 'before');
    expect(cursors.length).to.be.greaterThan(5);
    // An empty text is no UUID.
    for (const { place, schema } of cursors)
      expect(schema['format'] === 'uuid' || schema['minLength'] === 1, place).to.equal(true);
    const numbers = inputProperties.filter(({ schema }) => schema['format'] === 'phone');
    expect(numbers.length).to.be.greaterThan(2);
    for (const { place, schema } of numbers) expect(patternsIn(schema), place).to.deep.equal([phonePattern]);
    for (const number of ['', '+', '0151 23456789']) expect(new RegExp(phonePattern, 'u').test(number)).to.equal(false);
  });

  it('require a change from every update, and from what sets a part of settings', () => {
    for (const { name, input } of allOperations.filter((each) => /\.(update|set)$/.test(each.name))) {
      const required: unknown = input['required'];
      const count = Array.isArray(required) ? required.length : 0;
      // Where every field is required, each call names what it changes. What takes several, it makes or replaces as a
      // whole.
      const fields = Object.keys(propertiesOf(input)).filter((field) => field !== 'ifUnchangedSince');
      const isOpen = fields.length > count && (name.endsWith('.update') || count < 2);
      expect(input['minProperties'], name).to.equal(isOpen ? count + 1 : undefined);
    }
  });
});
