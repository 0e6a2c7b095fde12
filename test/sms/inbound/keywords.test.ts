import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { languages } from '#core/kernel/language.js';
import { matchKeyword, type OwnWords } from '#plugins/sms/keywords/match.js';
import { normalizedKeyword } from '#plugins/sms/keywords/normalize.js';
import { builtInKeywords } from '#plugins/sms/keywords/words.js';

const none: OwnWords = { stop: [], start: [], help: [] };
const keywordOf = (text: string, own: Partial<OwnWords> = {}): string | null =>
  matchKeyword(text, { ...none, ...own })?.keyword ?? null;

describe('keywords of received texts', () => {
  it('knows the usual words of five languages', () => {
    const usual = {
      stop: 'STOP,STOPALL,UNSUBSCRIBE,CANCEL,END,QUIT,OPTOUT,REVOKE,STOPP,ABMELDEN,ARRET,ARRÊT,PARAR,BAJA,CANCELAR,SAIR',
      start: 'START,UNSTOP,ANMELDEN,REPRENDRE,ALTA,VOLTAR',
      help: 'HELP,INFO,HILFE,AIDE,AYUDA,AJUDA',
    };
    for (const [keyword, words] of Object.entries(usual))
      for (const word of words.split(',')) expect(keywordOf(word), word).to.equal(keyword);
  });

  it('are those that docs/texts.md lists', async () => {
    const docs = await readFile('docs/texts.md', 'utf8');
    const table = (/^\| language +\| STOP[^]*?\n\n/m.exec(docs)?.[0] ?? '').split('\n').slice(2);
    for (const [index, keyword] of (['stop', 'start', 'help'] as const).entries()) {
      const listed = table.flatMap((row) => (row.split('|')[index + 2] ?? '').split(',').map((word) => word.trim()));
      const known = [...builtInKeywords().words].flatMap(([word, of]) => (of.keyword === keyword ? [word] : []));
      expect([...new Set(listed)].filter((word) => word !== '')).to.have.members(known);
    }
  });

  it('takes them in any case, with accents, punctuation, quotation marks, emoji and invisible characters around them', () => {
    const spellings = [
      'stop',
      'Stop.',
      ' STOP! ',
      '“stop”',
      "'stop'",
      'STOP\r\n',
      'stop 🙏',
      '\u200estop\u200b',
      'ＳＴＯＰ',
      'stop   all',
      'arre\u0302t',
      'Arrêt…',
    ];
    for (const text of spellings) expect(keywordOf(text), JSON.stringify(text)).to.equal('stop');
    expect(normalizedKeyword('“Arrêt.”')).to.equal('ARRET');
  });

  it('takes STOP as people write it: with other separators, several times, politely, and above a signature', () => {
    const texts = [
      ...['Opt‐out', 'opt‑out', 'opt–out', 'Opt_Out', 'opt.out', 'STOP-ALL', 'stop/all', 'S T O P', 's.t.o.p'],
      ...['STOP STOP', 'stop, stop, stop!', 'stop\nstop', 'STOP UNSUBSCRIBE', 'Dar-de-baja'],
      ...['Stop. Thank you', 'please stop', 'Stop please', 'Stop, thanks', 'Hi, please unsubscribe', 'unsubscribe me'],
      ...['Stop texting me', 'stop sending me messages', 'stop sms', 'cancel subscription', 'remove me', 'STOP <eom>'],
      ...['Bitte abmelden, danke', 'Arrêtez s’il vous plaît', 'baja por favor', 'Pare, obrigada', 'UNSUBSCRİBE'],
      ...['STOP\n\nSent from my iPhone', `Stop.\r\n-- \r\nAda Lovelace, ${'Analytical Engines '.repeat(10)}`],
    ];
    for (const text of texts) expect(keywordOf(text), JSON.stringify(text)).to.equal('stop');
    expect(matchKeyword('Bitte abmelden', none)?.locales).to.deep.equal(['de']);
    expect(keywordOf('please стоп', { stop: ['стоп'] })).to.equal('stop');
    expect(keywordOf('please a b c', { stop: ['A-B-C'] }), 'spaced out').to.equal('stop');
  });

  it('takes STOP in every language, stretched, run together, as a wish, below a greeting and before a signature', () => {
    const texts = [
      ...[
        'STOPPPP',
        'stoooop!!!',
        'STOPSTOPSTOP',
        'S T O P please',
        'opt\u00adout',
        'opt\u2212out',
        'opt\tout',
        'stop;stop',
      ],
      ...[
        'Remove me from your list',
        'take me off your list',
        'No more texts please',
        'Don’t text me',
        'Kindly stop now',
      ],
      ...[
        'I want to unsubscribe',
        'I’d like to opt out, thanks',
        'I want to stop receiving these messages',
        'opt me out',
      ],
      ...[
        'Hallo, bitte stoppen',
        'Abmeldung',
        'Bitte keine SMS mehr',
        'Ich möchte mich abmelden',
        'Newsletter abbestellen',
      ],
      ...['Bonjour, désabonnement svp', 'Je souhaite me désabonner', 'Désinscription, merci beaucoup', 'résilier'],
      ...['Hola, deme de baja por favor', 'Quiero darme de baja', 'No más mensajes', 'cancelar suscripción', 'Paren'],
      ...['Parem, por favor', 'Quero sair da lista', 'cancelar a subscrição', 'Não quero mais mensagens', 'remova'],
      ...['Hello,\nplease stop.\nAda', 'Bitte\n\nSTOPP\n\nMit freundlichen Grüßen', 'opt\nout'],
      ...['STOP Sent from my iPhone', 'Stop - Gesendet von Outlook für Android', 'arrêt, envoyé depuis mon mobile'],
      ...['STOP\u2028Ada', `unsubscribe\n${'x'.repeat(15_000)}`],
    ];
    for (const text of texts) expect(keywordOf(text), JSON.stringify(text)).to.equal('stop');
    expect(matchKeyword('Je veux me désabonner', none)?.locales).to.deep.equal(['fr']);
  });

  it('does not take what people say with these words about something else', () => {
    const others = [
      ...[
        'I want to quit',
        'I want to stop smoking',
        'When does it end?',
        'stop, look and listen',
        'Next stop: London',
      ],
      ...[
        'Where do I opt out of the tour?',
        'Don’t text me, call me',
        'Cancel my order',
        'end of the road',
        'end to end',
      ],
      ...['Stop! In the name of love', 'Hi\nstop by at five', 'Sent from my iPhone', 'Thanks\nSent from my iPhone'],
      ...['Bitte nicht abmelden', 'Wann ist die Abmeldung?', 'Bitte um 5 beenden', 'Keine Nachrichten mehr von Ada?'],
      ...['N’arrêtez pas', 'arrêt de bus', 'Je n’arrive pas à arrêter', 'désabonner mon frère ?'],
      ...['No pare', 'Pare en la esquina', 'Temporada baja', 'paren de gritar', 'Quiero parar', '¿Cuándo es la baja?'],
      ...['Não pare', 'Pare aqui', 'Vou sair', 'cancelar a consulta', 'remover o móvel', 'Quero sair hoje'],
      ...['top', 'stomp', 'sto', 'S T O', 'estop', 'stopwatch', 'optout1', 'stop 5'],
    ];
    for (const text of others) expect(keywordOf(text), JSON.stringify(text)).to.equal(null);
  });

  it('reads a hostile text in a time that grows with its length only', () => {
    const hostile = (length: number): string[] => [
      'STOP '.repeat(length / 5),
      'S '.repeat(length / 2),
      'S'.repeat(length),
      `${'\n'.repeat(length - 4)}STOP`,
      `${'please '.repeat(length / 7)}x`,
      'STOP'.repeat(length / 4),
      ' sent from'.repeat(length / 10),
      '\u0301'.repeat(length),
    ];
    const own = { stop: Array.from({ length: 50 }, (_, index) => `a ${index} b`) };
    const took = (length: number): number => {
      const began = process.cpuUsage().user;
      for (const text of hostile(length)) keywordOf(text, own);
      return process.cpuUsage().user - began;
    };
    took(1_600);
    // Quadratic time would be a hundred times as long or more.
    expect(took(16_000)).to.be.below(40 * took(1_600) + 50_000);
  });

  it('does not take another sentence for STOP, nor a polite text for START or HELP', () => {
    const others = [
      ...['Don’t stop the music', 'dont stop', 'Please don’t stop', 'Never stop', 'can’t stop laughing', 'non-stop'],
      ...['Please stop by at five', 'Stop at the bakery?', 'The bus stop', 'stop and go', 'stop it', 'Full stop.'],
      ...[
        'cancel my 5pm appointment',
        'Cancel that, thanks',
        'I quit smoking',
        'the end',
        'The end, thank you',
        'in the end',
      ],
      ...['Thank you', 'please', 'ok thanks', 'text me', 'stop or start', 'I opt out of the dessert'],
    ];
    for (const text of others) expect(keywordOf(text), JSON.stringify(text)).to.equal(null);
    for (const text of ['help me', 'info please']) expect(keywordOf(text), JSON.stringify(text)).to.equal(null);
    for (const text of ['please start', 'start start', 'START\nSent from my iPhone'])
      expect(matchKeyword(text, none), text).to.include({ keyword: 'start', onlyAfterStop: true });
  });

  it('does not take a text that says more, or nothing', () => {
    const others = ['stop by at five', 'STOP1', 'unstoppable', 'helpful', 'the end', '', ' ', '!!!', '🛑'];
    for (const text of others) expect(keywordOf(text), JSON.stringify(text)).to.equal(null);
    expect(keywordOf(`stop${' '.repeat(200)}`), 'too long to be a keyword').to.equal(null);
  });

  it('takes an environment’s own words beside them; a word in two lists ends texts', () => {
    expect(keywordOf('bêta', { start: ['Beta'] })).to.equal('start');
    expect(keywordOf('СТОП', { stop: ['стоп'] })).to.equal('stop');
    expect(keywordOf('leave', { help: ['leave'], stop: ['Leave'] })).to.equal('stop');
    expect(keywordOf('HELP', { stop: ['help'] })).to.equal('stop');
    expect(keywordOf('STOP', { start: ['stop'] }), 'STOP itself cannot be taken away').to.equal('stop');
    expect(keywordOf('beta'), 'another environment').to.equal(null);
  });

  it('takes YES for START only from somebody who has said STOP', () => {
    expect(matchKeyword('Yes', none)).to.deep.equal({ keyword: 'start', locales: [], onlyAfterStop: true });
    expect(matchKeyword('yes', { ...none, start: ['YES'] })?.onlyAfterStop).to.equal(false);
    expect(matchKeyword('start', none)?.onlyAfterStop).to.equal(false);
  });

  it('has words of its own for each keyword in every language; English ones are everybody’s', () => {
    for (const language of languages)
      for (const keyword of ['stop', 'start', 'help'] as const) {
        const words = [...builtInKeywords().words.values()].filter((word) => word.keyword === keyword);
        const isIts = words.some(
          ({ locales }) => locales.includes(language) || (language === 'en' && locales.length === 0),
        );
        expect(isIts, `${keyword} in ${language}`).to.equal(true);
      }
  });

  it('states the language of a word if it can be told', () => {
    const localesOf = (text: string): readonly string[] | undefined => matchKeyword(text, none)?.locales;
    expect(localesOf('STOP')).to.deep.equal([]);
    expect(localesOf('STOPP')).to.deep.equal(['de']);
    expect(localesOf('aide')).to.deep.equal(['fr']);
    expect(localesOf('parar')).to.deep.equal(['es', 'pt']);
  });

  it('answers for every text, and alike for each spelling of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(text.length <= 98);
        expect(keywordOf(` ${text}.`)).to.equal(keywordOf(text));
      }),
    );
  });
});
