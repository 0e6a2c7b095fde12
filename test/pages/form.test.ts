import { expect } from 'chai';
import { formFields } from '#core/surfaces/http/form.js';

const fieldsOf = (body: string | Buffer, type: string | undefined): [string, string][] => [
  ...formFields(Buffer.from(body), type),
];
const part = (head: string, value: string): string => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const multipart = 'multipart/form-data; boundary=b';

describe('a submitted form', () => {
  it('is parsed from both encodings', () => {
    expect(fieldsOf('a=1&b=%C3%A9+%26&a=2', 'application/x-www-form-urlencoded')).to.deep.equal([
      ['a', '1'],
      ['b', 'é &'],
      ['a', '2'],
    ]);
    const body = `preamble\r\n${part('Content-Disposition: form-data; name="a"', '1')}${part(
      'content-type: text/plain\r\ncontent-disposition: form-data; NAME=b',
      'é\r\n--a\r\n',
    )}--b--\r\nepilogue`;
    expect(fieldsOf(body, multipart)).to.deep.equal([
      ['a', '1'],
      ['b', 'é\r\n--a\r\n'],
    ]);
    expect(
      fieldsOf(body.replaceAll('--b', '--x y'), 'Multipart/Form-Data; charset=utf-8; Boundary="x y"'),
    ).to.have.length(2);
  });

  it('contains no files, and is empty if the body is not a valid form', () => {
    const field = part('Content-Disposition: form-data; name="a"', '1');
    const file = part('Content-Disposition: form-data; name="f"; filename="x.txt"', 'secret');
    expect(fieldsOf(`${file}${field}--b--`, multipart)).to.deep.equal([['a', '1']]);
    expect(fieldsOf(`${part('Content-Disposition: attachment; name="a"', '1')}--b--`, multipart)).to.deep.equal([]);
    expect(fieldsOf(`${field}--b--`, 'multipart/form-data')).to.deep.equal([]);
    expect(fieldsOf(`${field}--b--`, 'multipart/form-data; boundary=other')).to.deep.equal([]);
    expect(fieldsOf('--b', multipart)).to.deep.equal([]);
    expect(fieldsOf('', undefined)).to.deep.equal([]);
  });

  it('ends at its last delimiter, and is empty if it has only delimiters', () => {
    const field = part('Content-Disposition: form-data; name="a"', '1');
    expect(fieldsOf(`--b--\r\n${field}`, multipart)).to.deep.equal([]);
    const many = '--b\r\n'.repeat(13_000);
    expect(fieldsOf(many, multipart)).to.deep.equal([]);
  });
});
