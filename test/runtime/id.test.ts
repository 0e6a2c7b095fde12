import { expect } from 'chai';
import { validate, version } from 'uuid';
import { idBytes, idText, newId } from '#core/runtime/id.js';

describe('Ids', () => {
  it('are UUIDs of version 7, each greater than the previous ones, in any number per millisecond', () => {
    const ids = Array.from({ length: 50_000 }, newId);
    expect(ids.every((id) => validate(id) && version(id) === 7)).to.equal(true);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''))).to.equal(true);
  });

  it('contain the time of their creation', () => {
    const ms = parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(ms - Date.now())).to.be.lessThan(1_000);
  });

  it('survive a round trip through bytes', () => {
    const id = newId();
    expect(idBytes(id)).to.have.length(16);
    expect(idText(idBytes(id))).to.equal(id);
  });
});
