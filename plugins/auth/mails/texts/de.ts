import type { MailTexts } from '../kinds.js';

export const de: MailTexts = {
  code: {
    subject: '{{ code }} ist Ihr Code für {{ brandName }}',
    heading: 'Ihr Anmeldecode: {{ code }}',
    body: 'Geben Sie den Code {{ code }} dort ein, wo Sie sich bei {{ brandName }} anmelden. Er ist {{ minutes }} Minuten gültig und funktioniert nur einmal.',
    footer:
      'Geben Sie diesen Code nicht weiter; niemand von {{ brandName }} wird danach fragen. Wenn Sie sich nicht anmelden wollten, können Sie diese E-Mail ignorieren.',
  },
  link: {
    subject: 'Anmeldung bei {{ brandName }}',
    heading: 'Bei {{ brandName }} anmelden',
    body: 'Über die Schaltfläche unten melden Sie sich an. Der Link ist {{ minutes }} Minuten gültig und funktioniert nur einmal.',
    button: 'Anmelden',
    footer:
      'Leiten Sie diesen Link nicht weiter. Wenn Sie sich nicht anmelden wollten, können Sie diese E-Mail ignorieren.',
  },
  verifyAddress: {
    subject: '{{ code }} ist Ihr Code zum Bestätigen der Adresse bei {{ brandName }}',
    heading: 'Adresse bestätigen: {{ code }}',
    body: 'Geben Sie den Code {{ code }} ein, um diese Adresse Ihrem Konto bei {{ brandName }} hinzuzufügen. Er gilt {{ minutes }} Minuten.',
    footer:
      'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ohne den Code wird die Adresse nicht hinzugefügt.',
  },
  notices: {
    password_set: {
      subject: 'Ein Passwort wurde festgelegt',
      body: 'Für Ihr Konto bei {{ brandName }} wurde ein Passwort festgelegt.',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      body: 'Das Passwort Ihres Kontos bei {{ brandName }} wurde geändert.',
    },
    password_removed: {
      subject: 'Ihr Passwort wurde entfernt',
      body: 'Das Passwort Ihres Kontos bei {{ brandName }} wurde entfernt.',
    },
    factor_activated: {
      subject: 'Anmeldung in zwei Schritten eingeschaltet',
      body: 'Eine Authenticator-App schützt jetzt Ihr Konto bei {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'Ihre Authenticator-App wurde ersetzt',
      body: 'Eine andere Authenticator-App schützt jetzt Ihr Konto bei {{ brandName }}. Die bisherige gilt nicht mehr.',
    },
    factor_removed: {
      subject: 'Anmeldung in zwei Schritten ausgeschaltet',
      body: 'Die Authenticator-App Ihres Kontos bei {{ brandName }} wurde entfernt. Zum Anmelden genügt wieder ein Schritt.',
    },
    recovery_regenerated: {
      subject: 'Sie haben neue Wiederherstellungscodes',
      body: 'Für Ihr Konto bei {{ brandName }} wurden neue Wiederherstellungscodes erzeugt. Die bisherigen gelten nicht mehr.',
    },
    recovery_used: {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      body: 'Jemand hat sich mit einem Wiederherstellungscode in Ihrem Konto bei {{ brandName }} angemeldet.',
    },
    passkey_added: {
      subject: 'Ein Passkey wurde hinzugefügt',
      body: 'Der Passkey „{{ what }}“ wurde Ihrem Konto bei {{ brandName }} hinzugefügt.',
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde entfernt',
      body: 'Der Passkey „{{ what }}“ wurde aus Ihrem Konto bei {{ brandName }} entfernt.',
    },
    primary_changed: {
      subject: 'Ihre primäre Adresse oder Nummer wurde geändert',
      body: 'Die primäre Adresse oder Nummer Ihres Kontos bei {{ brandName }} ist jetzt {{ what }}.',
    },
    identity_added: {
      subject: 'Eine Anmeldemöglichkeit wurde hinzugefügt',
      body: '{{ what }} wurde Ihrem Konto bei {{ brandName }} hinzugefügt und kann zur Anmeldung verwendet werden.',
    },
    identity_removed: {
      subject: 'Eine Anmeldemöglichkeit wurde entfernt',
      body: '{{ what }} wurde aus Ihrem Konto bei {{ brandName }} entfernt.',
    },
    new_device: {
      subject: 'Neue Anmeldung bei {{ brandName }}',
      body: 'Jemand hat sich mit einem neuen Gerät in Ihrem Konto bei {{ brandName }} angemeldet: {{ what }}.',
    },
  },
  facts: 'Zeitpunkt: {{ time }}\nIP-Adresse: {{ ip }}',
  noticeFooter:
    'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, melden Sie sich sofort an, melden Sie sich überall sonst ab und ändern Sie Ihre Anmeldemöglichkeiten.',
  sms: '{{ code }} ist Ihr Code für {{ brandName }}. Geben Sie ihn nicht weiter. Er gilt {{ minutes }} Minuten.',
};
