import { useRead } from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

/** Where a program that speaks only SMTP uses a new key; nothing if svc takes no mail by SMTP. */
export function SmtpSettings() {
  const { data } = useRead('email.sender.get', {});
  if (!data?.smtp) return null;
  const { host, startTlsPort, tlsPort } = data.smtp;
  const ports = [
    ...(startTlsPort === null ? [] : [`${startTlsPort} (STARTTLS)`]),
    ...(tlsPort === null ? [] : [`${tlsPort} (SSL/TLS)`]),
  ];
  return (
    <p class="soft">
      {texts.smtp} Host <code>{host}</code>, port <code>{ports.join(' or ')}</code>, any user name, and this key as the
      password.
    </p>
  );
}
