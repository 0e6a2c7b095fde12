/*
 * Words of receiving servers about a mailbox or domain that does not exist, folded as those of words.ts. If an
 * answer also has words about the sender or about a state that passes, those count.
 */

/** Exceptions: words of passingPhrases and senderPhrases in these do not count. */
export const deadDespite: readonly string[] = [
  'blocked due to inactivity',
  'disabled due to inactivity',
  'blocked for inactivity',
  'no longer accepted here',
  'account expired',
  'account has expired',
];

/** The answer states that there is no such mailbox. */
export const deadPhrases: readonly string[] = [
  ...['user unknown', 'unknown user', 'unknown recipient', 'unknown mailbox', 'unknown address', 'unknown account'],
  ...['unknown local user', 'unknown local part', 'unknown person', 'recipient unknown', 'addressee unknown'],
  ...['no such user', 'no such recipient', 'no such mailbox', 'no such address', 'no such account', 'no such person'],
  ...[
    'no such local user',
    'nosuchuser',
    'no user found',
    'no mailbox here',
    'no mailbox by that name',
    'no mailbox found',
  ],
  ...['no user here', 'no user by that name', 'no account here', 'no account by that name', 'no account with'],
  ...['no valid recipient', 'invalid recipient', 'invalid mailbox', 'invalid user', 'invalid destination mailbox'],
  ...[
    'not a known user',
    'not a valid user',
    'not a valid mailbox',
    'not a valid recipient',
    'not a valid email address',
  ],
  ...[
    'nonexistent user',
    'nonexistent mailbox',
    'nonexistent recipient',
    'non existent user',
    'non existent account',
    'non existent mailbox',
    'illegal user',
    'illegal alias',
    'account expired',
    'account has expired',
    'bad destination mailbox',
  ],
  ...['mailbox unavailable', 'not in recipient list', 'address rejected inactive', 'disableduser', 'recipnotfound'],
  ...['recipientnotfound', 'resolver adr', 'unrouteable address', 'unroutable address', "doesn't have a account"],
  ...["doesn't have an account", 'does not have an account', 'marked as invalid', 'is no longer valid'],
  ...['blocked due to inactivity', 'disabled due to inactivity', 'blocked for inactivity', 'account has been disabled'],
  // Null MX (RFC 7505).
  ...['nullmx', 'null mx', 'does not accept mail', 'does not accept email', 'accepts no mail', "doesn't accept mail"],
  // French, German, Spanish, Portuguese, Italian, Dutch, Polish.
  ...[
    'utilisateur inconnu',
    'destinataire inconnu',
    'destinataire invalide',
    'destinataire inexistant',
    'adresse inconnue',
    'boite aux lettres inconnue',
    'boite aux lettres desactivee',
    'boite inconnue',
    'compte inconnu',
  ],
  ...[
    'adresse inexistante',
    'boite inexistante',
    'compte inexistant',
    'compte desactive',
    "n'existe pas",
    'compte ferme',
  ],
  ...['empfanger unbekannt', 'unbekannter empfanger', 'benutzer unbekannt', 'unbekannter benutzer', 'nutzer unbekannt'],
  ...['postfach unbekannt', 'adresse unbekannt', 'existiert nicht', 'postfach nicht gefunden', 'adressat unbekannt'],
  ...['postfach nicht vorhanden', 'konto deaktiviert', 'postfach deaktiviert', 'empfanger nicht gefunden'],
  ...['adresse gibt es nicht', 'postfach gibt es nicht', 'benutzer nicht gefunden', 'konto nicht gefunden'],
  ...[
    'usuario desconocido',
    'destinatario desconocido',
    'usuario inexistente',
    'buzon inexistente',
    'cuenta inexistente',
  ],
  ...['cuenta desactivada', 'destinatario invalido', 'destinatario inexistente', 'usuario no existe', 'no existe'],
  ...['cuenta deshabilitada', 'cuenta no encontrada', 'buzon desactivado', 'buzon deshabilitado'],
  ...['usuario nao encontrado', 'utilizador nao encontrado', 'destinatario nao encontrado', 'conta nao encontrada'],
  ...['conta desabilitada', 'utente non trovato', 'destinatario inesistente', 'account inesistente'],
  ...['usuario no encontrado', 'buzon no encontrado', 'utilizador desconhecido', 'usuario desconhecido', 'nao existe'],
  ...[
    'utilizador inexistente',
    'destinatario desconhecido',
    'caixa postal inexistente',
    'caixa de correio inexistente',
  ],
  ...['conta inexistente', 'conta desativada', 'utente sconosciuto', 'utente inesistente', 'destinatario sconosciuto'],
  ...['casella inesistente', 'non esiste', 'casella disabilitata', 'gebruiker onbekend', 'onbekende gebruiker'],
  ...['bestaat niet', 'onbekende ontvanger', 'nie istnieje', 'nieznany uzytkownik', 'nie ma takiego uzytkownika'],
  // Czech, Hungarian, Romanian, Scandinavian languages, Finnish, Turkish, Greek.
  ...['neexistuje', 'uzivatel nenalezen', 'nem letezik', 'ismeretlen felhasznalo', 'nu exista', 'finns inte'],
  ...['okand anvandare', 'okand mottagare', 'findes ikke', 'finnes ikke', 'ukendt bruger', 'ukendt modtager'],
  ...['ukjent bruker', 'ukjent mottaker', 'ei loydy', 'tuntematon vastaanottaja', 'tuntematon kayttaja', 'bulunamadi'],
  ...['kullanici yok', 'δεν υπαρχει', 'αγνωστος χρηστης', 'αγνωστος παραληπτης'],
  // Arabic, Hebrew, Korean.
  ...[
    'غير موجود',
    'مستخدم غير معروف',
    'לא קיים',
    'לא קיימת',
    '존재하지 않*',
    '찾을 수 없*',
    '없는 사용자',
    '알 수 없는 사용자',
  ],
  // Russian, Ukrainian, Chinese, Japanese.
  ...['адресат не наиден', 'получатель не наиден', 'адрес не наиден', 'такого пользователя нет', 'такого адреса нет'],
  ...['такого ящика нет', 'не знаидено', 'не існує'],
  ...[
    '用户未找到',
    '无此用户',
    '無此用戶',
    '無此用户',
    '查无此人',
    '用户名不存在',
    '收件人未找到',
    '使用者不存在',
    '帳號不存在',
  ],
  ...[
    '郵箱不存在',
    '收件者不存在',
    '信箱不存在',
    'ユーザーが見つかりません',
    'アドレスが見つかりません',
    '宛先が見つかりません',
  ],
  ...['пользователь не наиден', 'не существует', 'нет такого пользователя', 'ящик не наиден', 'ящик отключен'],
  ...[
    'неизвестныи пользователь',
    'неизвестныи получатель',
    '用户不存在',
    '收件人不存在',
    '邮箱不存在',
    '帐号不存在',
    '账号不存在',
  ],
  ...['地址不存在', '帐户不存在', '账户不存在', '存在しません', '存在しない', '宛先不明'],
];

/** Pairs: one of the subjects, and in the same sentence, soon after it, one of the predicates. */
export const deadSubjects: readonly string[] = [
  ...['empfanger', 'benutzer', 'postfach', 'usuario', 'utilizador', 'cuenta', 'destinatario', 'utilisateur', 'conta'],
  ...['compte', 'destinataire', 'buzon', 'utente', 'casella'],
  ...['user', 'recipient', 'mailbox', 'address', 'account', 'inbox', 'username', 'person', 'customer'],
];
export const deadPredicates: readonly string[] = [
  ...['unknown', 'not found', 'not be found', 'not known', 'not local', 'not exist', "doesn't exist", 'does not exist'],
  ...['disabled', 'inactive', 'deactivated', 'closed', 'deleted', 'no longer active', 'no longer available'],
  ...[
    'no longer exists',
    'no longer valid',
    'not valid',
    'invalid',
    'unallocated',
    'suspended',
    'terminated',
    'discontinued',
  ],
  ...[
    'account expired',
    'nicht gefunden',
    'nicht vorhanden',
    'unbekannt',
    'deaktiviert',
    'no encontrado',
    'no encontrada',
  ],
  ...[
    'nao encontrado',
    'nao encontrada',
    'nao foi encontrado',
    'nao foi encontrada',
    'introuvable',
    'inconnu',
    'desactive',
  ],
  ...['deshabilitado', 'deshabilitada', 'desactivada', 'desativada', 'desabilitada', 'inexistente', 'non trovato'],
];

/** There is no such domain. The domains of senders and clients are called the same, under codes of policy (5.7.x). */
export const deadDomainPhrases: readonly string[] = [
  ...[
    'host or domain name not found',
    'domain not found',
    'host not found',
    'unknown domain',
    'no such domain',
    'nxdomain',
  ],
  ...[
    'domain does not exist',
    "domain doesn't exist",
    'bad destination host',
    'bad destination system',
    'host unknown',
  ],
  ...[
    'find any host',
    'invalid domain',
    'domain unknown',
    'domaine inconnu',
    'unbekannte domain',
    'dominio inexistente',
  ],
];
