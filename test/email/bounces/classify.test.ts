import { expect } from 'chai';
import { bounceKind, isRelayLimit, judgedKind } from '#plugins/email/bounces/classify.js';
import { knownAnswers } from '#plugins/email/bounces/known-answers.js';

describe('Verdicts about answers of mail servers', () => {
  const judge = (answers: readonly (readonly [string | null, string])[]) =>
    answers.map(([code, detail]) => [code, detail, bounceKind(code, detail)]);

  it('are those of the table of known answers', () => {
    const wrong = knownAnswers.filter(
      ([reply, code, , phrase, verdict]) => bounceKind(code, `${reply} ${code ?? ''} ${phrase}`) !== verdict,
    );
    expect(wrong).to.deep.equal([]);
    expect(knownAnswers).to.have.length(206);
  });

  it('are hard where the mailbox does not exist', () => {
    const answers = [
      ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable'],
      ['5.7.1', '550 5.7.1 No such user'],
      ['5.0.0', '550 No user found'],
      ['5.0.0', '554 delivery error: this mailbox is disabled (554.30)'],
      ['5.1.0', 'Domain does not accept mail (nullMX)'],
      ['5.1.6', '550 5.1.6 moved'],
      [null, '550 Empfänger unbekannt'],
      [null, '550 Utilisateur inconnu'],
      [null, '550 El buzón no existe'],
      [null, '550 A caixa de correio não existe'],
      [null, '550 用户不存在'],
      [null, '550 Пользователь не найден'],
      ['5.1.1', '550 5.1.1 <spam@policy.example>: User unknown'],
      ['5.1.1', 'host mx.spamfilter.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)'],
      ['5.1.1', 'host policy.example[2001:db8::25]:25 said: 550 5.1.1 User unknown'],
      [null, '550 Użytkownik nie istnieje'],
      [null, '550 The recipient may contain a non-existent account, please check the recipient address'],
      [null, '550 unknown or illegal user (UIU): ada'],
      ['5.2.1', '550 5.2.1 account expired'],
      [null, '550 Usuário não encontrado'],
      [null, '550 O usuário não foi encontrado'],
      [null, '550 Der Empfänger wurde nicht gefunden'],
      [null, '550 Diese Adresse gibt es nicht'],
      [null, '550 Boîte aux lettres inconnue'],
      [null, '550 La cuenta ha sido deshabilitada'],
      [null, '550 Uživatel neexistuje'],
      [null, '550 Alıcı bulunamadı'],
      [null, '550 Användaren finns inte'],
      [null, '550 Brugeren findes ikke'],
      [null, '550 Käyttäjää ei löydy'],
      [null, '550 Nem létezik ilyen felhasználó'],
      [null, '550 Utilizatorul nu există'],
      [null, '550 존재하지 않는 사용자입니다'],
      [null, '550 ユーザーが見つかりません'],
      [null, '550 无此用户'],
      [null, '550 Адресат не найден'],
      [null, '550 Користувача не знайдено'],
      [null, '550 Ο χρήστης δεν υπάρχει'],
      [null, '550 المستخدم غير موجود'],
      [null, '550 המשתמש לא קיים'],
    ] as const;
    expect(judge(answers)).to.deep.equal(answers.map((each) => [...each, 'hard']));
  });

  it('are soft where the answer is about something else', () => {
    const answers = [
      ['5.0.350', '550 5.0.350 The other server returned an error: content suspected to be spam'],
      ['5.1.0', '501 5.1.0 The sender is invalid'],
      ['5.1.1', '550 4.1.1 User unknown'],
      [null, '550 From domain does not exist'],
      [null, '550 Absender nicht gefunden, Postfach unbekannt'],
      [null, '550 Avsändaren finns inte'],
      [null, '550 Gönderen bulunamadı'],
      [null, '550 Відправника не знайдено'],
      ['5.1.1', '552 5.1.1 Refused by a policy of this mailbox'],
      ['5.1.1', '552 5.1.1 The recipient is over quota'],
      ['5.1.1', '552 5.1.1'],
      ['5.1.20', '550 5.1.20 The message has several From addresses'],
      ['5.1.90', '550 5.1.90 The sender has used up its daily number of recipients'],
      ['5.2.0', '550 5.2.0 Message refused, code 506'],
      ['5.2.0', '554 5.2.0 STOREDRV.Deliver; QuotaExceeded'],
      ['5.2.1', '550 5.2.1 This mailbox is receiving mail at too high a rate right now, p=ReceivingRatePerm'],
      ['5.1.1', '550 5.1.1 Blocked: the message looks like spam'],
      ['5.1.2', '550 5.1.2 Relaying is not permitted without a login'],
      ['5.1.0', '550 5.1.0 Expéditeur invalide'],
      ['5.1.1', '550 5.1.1 Das Postfach ist voll'],
      ['5.1.1', '550 5.1.1 Skrzynka pełna'],
      ['5.1.1', '550 5.1.1 Postkassen er fuld'],
      ['5.1.1', '550 5.1.1 Posta kutusu dolu'],
      ['5.1.1', '550 5.1.1 편지함 용량이 가득 찼습니다'],
      ['5.1.1', '550 5.1.1 Your message was rejected because your account has been suspended'],
      ['5.7.1', '550 5.7.1 Account disabled'],
      [null, '550 Your account has been suspended. Contact support'],
      [null, '550 Customer account is deactivated, cannot relay mail'],
      ['5.1.1', '450 4.1.1 User unknown'],
      [null, 'User unknown'],
    ] as const;
    expect(judge(answers)).to.deep.equal(answers.map((each) => [...each, 'soft']));
  });

  it('correct those of providers', () => {
    expect(judgedKind('hard', '5.7.1', '550 5.7.1 Message refused as spam')).to.equal('soft');
    expect(judgedKind('hard', null, 'Blocked as spam')).to.equal('soft');
    expect(judgedKind('hard', null, '')).to.equal('hard');
    expect(judgedKind('soft', '5.7.1', '550 5.7.1 No such user')).to.equal('hard');
    expect(judgedKind('soft', '5.2.2', '552 5.2.2 Mailbox full')).to.equal('soft');
  });

  it('tell the limit of the sender from that of a mailbox', () => {
    expect(isRelayLimit('550 5.4.5 The daily limit of this account is reached')).to.equal(true);
    expect(isRelayLimit('554 Daily sending quota of this account: sending quota exceeded')).to.equal(true);
    expect(isRelayLimit('552 5.2.2 The recipient is over quota')).to.equal(false);
    expect(isRelayLimit('550 5.2.1 This mailbox is receiving mail at too high a rate')).to.equal(false);
  });

  it('are about the sender if the relay has stopped its account, and hold what waits', () => {
    for (const answer of [
      '554 Message rejected: Sending suspended for this account.',
      '550 Your account has been suspended. Contact support',
      '554 5.7.0 Your SMTP account is not yet activated',
      '550 5.4.6 Unusual sending activity detected. Please try after sometime.',
      '550 You have exceeded your messaging limits',
      '550 Messages per day limit exceeded for account',
    ])
      expect(isRelayLimit(answer), answer).to.equal(true);
    for (const answer of [
      '550 5.1.1 The email account that you tried to reach is disabled',
      '552 5.2.2 The account is over quota',
      '550 5.7.1 Add this address to your account to receive mail from it',
    ])
      expect(isRelayLimit(answer), answer).to.equal(false);
  });
});
