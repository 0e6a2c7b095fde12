/*
 * Words of receiving servers, folded as in foldedAnswer: lower case, without accents, addresses and host names. A
 * phrase that ends with * also matches longer words. Phrases of scripts without spaces match anywhere.
 */

/** The answer is about the present state of the mailbox or the server. */
export const passingPhrases: readonly string[] = [
  // The mailbox is full.
  ...['quota*', 'overquota*', 'quotaexceeded*', 'over quota', 'full', 'storage', 'size limit*', 'maximum size'],
  ...[
    'insufficient',
    'pleine',
    'plein',
    'voll',
    'uberfullt',
    'lleno',
    'llena',
    'cheio',
    'cheia',
    'piena',
    'pieno',
    'vol',
  ],
  ...['speicherplatz*', 'espace insuffisant', 'almacenamiento', 'armazenamento', 'przepelnion*', 'pelna'],
  ...['fuld', 'tulvillaan', 'taynna', 'taysi', 'plna', 'plny', 'megtelt', 'dolu', 'kotasi*', 'plina', 'plin', 'pelny'],
  ...[
    'γεματο',
    'γεματη',
    '가득',
    '용량',
    'เต็ม',
    'ممتلئ',
    'מלאה',
    'переповнен*',
    'переполнен*',
    '已满',
    '满了',
    '容量',
    'いっぱい',
    '超過',
  ],
  // Rate and volume.
  ...['rate', 'rates', 'ratelimit*', 'receivingrate*', 'too many', 'too much', 'too quickly', 'too fast', 'too high'],
  ...['frequenc*', 'limit', 'limits', 'limited', 'exceed*', 'volume', 'throttl*', 'per hour', 'per day', 'per minute'],
  ...[
    'daily',
    'used up',
    'limite',
    'limites',
    'tageslimit',
    'zu viele',
    'trop de',
    'demasiad*',
    'demasiados',
    'limita*',
  ],
  ...['limitat*', 'troppi', 'лимит*', '频率', '过多', '上限', '制限'],
  // Time, network and state of the server.
  ...['try again', 'try later', 'again later', 'later time', 'temporar*', 'temporaire*', 'deferred', 'greylist*'],
  ...[
    'graylist*',
    'vorubergehend*',
    'expired',
    'timed out',
    'time out',
    'timeout',
    'too long',
    'too many hops',
    'loop',
  ],
  ...['loops', 'connection refused', 'failing for a long time', 'in progress', 'unverified', 'server busy', 'congest*'],
  ...['reintente', 'mas tarde', 'mais tarde', 'plus tard', 'spater', 'временно', '稍后', 'しばらく'],
];

/** The answer is about the sender, the relay or the message. */
export const senderPhrases: readonly string[] = [
  // Policy and authentication.
  ...[
    'polic*',
    'mailpolic*',
    'politique*',
    'richtlinie*',
    'politica*',
    'политик*',
    'prohibit*',
    'forbidden',
    'verboten',
  ],
  ...[
    'interdit*',
    'denied',
    'refuse*',
    'not authorized',
    'not authorised',
    'unauthorized',
    'unauthenticated',
    'authenticat*',
  ],
  ...[
    'permission*',
    'permitted',
    'restrict*',
    'not allowed',
    'disallow*',
    'not accepted for',
    'moderat*',
    'nicht erlaubt',
  ],
  ...[
    'nao permitid*',
    'no permitid*',
    'dmarc',
    'dkim',
    'spf',
    'ptr',
    'reverse dns',
    'rdns',
    'helo',
    'ehlo',
    '策略',
    '拒绝',
  ],
  // Spam, reputation and content.
  ...['spam*', 'antispam*', 'unsolicited', 'suspicious', 'suspected', 'suspicion', 'reputation', 'block', 'blocks'],
  ...[
    'blocked',
    'blocking',
    'blocklist*',
    'blacklist*',
    'denylist*',
    'banned',
    'bloque*',
    'bloquead*',
    'gesperrt',
    'listed',
  ],
  ...['dnsbl', 'rbl', 'virus*', 'malware', 'phish*', 'content', 'contenu', 'contenido', 'conteudo', 'inhalt', 'abuse'],
  ...[
    'bulk',
    'junk',
    'spoof*',
    'impersonat*',
    'complaint*',
    'pourriel',
    'indesirable*',
    'werbung',
    'attachment*',
    'header',
  ],
  ...['headers', 'from header', 'message too', 'too large', 'too big', 'спам*', '垃圾', '内容', '迷惑'],
  // The sender.
  ...['sender', 'senders', "sender's", 'sending domain', 'sending ip', 'sending address', 'mail from', 'mailfrom'],
  ...['from address', 'from addresses', 'client host', 'ip address', 'your ip', 'your domain', 'return path'],
  ...[
    'envelope from',
    'originating ip',
    'expediteur*',
    'emetteur*',
    'absender*',
    'remitente*',
    'remetente*',
    'mittente*',
  ],
  ...['afzender*', 'nadawc*', 'отправител*', '发件人', '送信者'],
  // The relay, and our account there.
  ...[
    'your account',
    'your smtp account',
    'your mailgun account',
    'your user account',
    'account is not allowed to send',
  ],
  ...['sending suspended', 'sending is suspended', 'sending disabled', 'sending is disabled', 'disabled for sending'],
  ...['cannot relay', 'ihr konto', 'votre compte', 'su cuenta', 'a sua conta', 'sua conta', 'il tuo account'],
  ...['relaying', 'relay access', 'relay not', 'relay denied', 'relay is', 'as a relay', 'to relay', 'open relay'],
  ...['not relay', 'not an open relay', 'without a login', 'weiterleitung', 'relais', 'retransmi*'],
];

/** Exceptions: words of passingPhrases and senderPhrases in these do not count. */
export const deadDespite: readonly string[] = [
  'blocked due to inactivity',
  'disabled due to inactivity',
  'blocked for inactivity',
  'no longer accepted here',
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
  ...[
    'usuario desconocido',
    'destinatario desconocido',
    'usuario inexistente',
    'buzon inexistente',
    'cuenta inexistente',
  ],
  ...['cuenta desactivada', 'destinatario invalido', 'destinatario inexistente', 'usuario no existe', 'no existe'],
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
  // Russian, Chinese, Japanese.
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

/** The sender has used up what it may send through the relay, or the relay has stopped the sender's account. */
export const relayLimitPhrases: readonly string[] = [
  ...[
    'daily limit',
    'daily sending limit',
    'daily user sending limit',
    'daily message quota',
    'daily quota',
    'sending limit',
  ],
  ...['sending limits', 'sending quota', 'submission quota', 'submissionquota*', 'outgoing limit', 'outbound limit'],
  ...['daily number of recipients', 'sender has used up', 'hourly limit', 'monthly limit', 'account limit'],
  ...['limit of this account', 'maximum credits', 'credits exceeded', 'daily recipient limit'],
  ...['recipient rate limit', 'max emails per hour', 'max defers and failures per hour', 'too many messages sent'],
  ...[
    'messages per day limit',
    'per day limit exceeded',
    'messaging limits',
    'messaging limit',
    'unusual sending activity',
  ],
  ...['monthly credit limit', 'out of credits', 'your account has been suspended', 'your account is suspended'],
  ...[
    'your account has been disabled',
    'your account is disabled',
    'your account has been blocked',
    'your account is inactive',
  ],
  ...[
    'your account has been locked',
    'your account is locked',
    'sending suspended for this account',
    'sending is disabled',
  ],
  ...['your sending has been', 'your smtp account is not', 'your plan'],
  ...[
    'limite d envoi',
    "limite d'envoi",
    'sendelimit*',
    'tageslimit*',
    'limite diario',
    'limite de envio',
    'limite diaria',
  ],
];
