const text = (value: string): Buffer => Buffer.concat([Buffer.of(0x40 | value.length), Buffer.from(value)]);
const number = (value: number): Buffer => Buffer.of(0xc4, 0, 0, 0, value);
const map = (...entries: [string, Buffer][]): Buffer =>
  Buffer.concat([Buffer.of(0xe0 | entries.length), ...entries.flatMap(([name, value]) => [text(name), value])]);

/**
 * The smallest database in the MaxMind format: every IPv4 address is in Berlin, which has names in English and German.
 */
export function berlinEverywhere(): Buffer {
  const names = (en: string, de: string): [string, Buffer] => ['names', map(['en', text(en)], ['de', text(de)])];
  const data = map(['city', map(names('Berlin', 'Berlin'))], ['country', map(names('Germany', 'Deutschland'))]);
  // One node whose two records lead to the first datum: the number of nodes plus 16 plus its offset.
  const tree = Buffer.of(0, 0, 17, 0, 0, 17);
  const metadata = map(
    ['node_count', number(1)],
    ['record_size', number(24)],
    ['ip_version', number(4)],
    ['database_type', text('City')],
    ['binary_format_major_version', number(2)],
    ['binary_format_minor_version', number(0)],
    ['build_epoch', number(1)],
  );
  return Buffer.concat([tree, Buffer.alloc(16), data, Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'), metadata]);
}
