import type { LoweredAccount } from '#core/kernel/ports.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import { formatDateTime, textsFor } from '#core/surfaces/pages/texts.js';
import { environmentNames } from '../environment-names.js';

/** How many keys the mail shows. The others are counted. */
const maxShown = 20;

/**
 * The list of keys: `svc_test_9fKq…, test environment, November 20, 2026 at 9:30 AM UTC, 203.0.113.7`. It contains no
 * key names and no endpoint addresses: the person who created them chose these texts, and may be a stranger.
 * @param formatTag `formatTag` of the reader's texts
 */
export function presentKeys({ keys, keyCount }: LoweredAccount, formatTag: string): string {
  const { texts: names } = textsFor(environmentNames, [formatTag]);
  const shown = keys.slice(0, maxShown).map(({ prefix, kind, createdAt, createdIp }) => {
    return [`${prefix}…`, names[kind], formatDateTime(formatTag, createdAt), createdIp ?? '–'].join(', ');
  });
  return [...shown, ...(keyCount > shown.length ? [`+ ${keyCount - shown.length}`] : [])].join('; ');
}

/** The text if the account has endpoints. */
const ifEndpoints = (text: string): string => `{% if endpointCount != "0" %} ${text}{% endif %}`;

/** Informs the owner about the keys that were created before they proved their address. */
export const proofMail: EmailSystemTemplate = {
  name: 'account.owner.proven',
  channel: 'email',
  budget: 'notice',
  description:
    'Sent to an account’s first owner after they prove their address. Lists the keys created before, which are now limited.',
  variables: ['accountName', 'keys', 'keyCount', 'endpointCount'],
  requiredVariables: ['keys'],
  locales: {
    en: {
      subject: 'Keys of {{ accountName }} created before you signed in',
      heading: 'Check the keys of {{ accountName }}',
      body: `You signed in as an owner of {{ accountName }} for the first time. Secret keys had been created before that (key, environment, time, IP address): {{ keys }}.\n\nThese keys can still send and read, but they can no longer manage the account, its members or its keys.${ifEndpoints('Webhook endpoints were created too ({{ endpointCount }}); they still receive events.')}`,
      footer:
        'If you created these keys yourself, create new ones for administration in the console. If you don’t recognize one, revoke it with developers.key.revoke (svc developers key revoke), check the endpoints with developers.webhook.list, and work in a new project: whoever opened the account may have set up the test environment.',
    },
    de: {
      subject: 'Schlüssel von {{ accountName }} aus der Zeit vor Ihrer Anmeldung',
      heading: 'Prüfen Sie die Schlüssel von {{ accountName }}',
      body: `Sie haben sich zum ersten Mal mit der Rolle „Inhaber“ bei {{ accountName }} angemeldet. Davor wurden geheime Schlüssel erstellt (Schlüssel, Umgebung, Zeit, IP-Adresse): {{ keys }}.\n\nMit diesen Schlüsseln kann weiterhin gesendet und gelesen werden, aber das Konto, seine Mitglieder und seine Schlüssel lassen sich damit nicht mehr verwalten.${ifEndpoints('Auch Webhook-Endpunkte wurden angelegt ({{ endpointCount }}); sie empfangen weiterhin Ereignisse.')}`,
      footer:
        'Wenn Sie diese Schlüssel selbst erstellt haben, erstellen Sie in der Konsole neue für die Verwaltung. Wenn Sie einen nicht kennen, widerrufen Sie ihn mit developers.key.revoke (svc developers key revoke), prüfen Sie die Endpunkte mit developers.webhook.list und arbeiten Sie in einem neuen Projekt: Wer das Konto eröffnet hat, könnte die Testumgebung eingerichtet haben.',
    },
    fr: {
      subject: 'Clés du compte {{ accountName }} créées avant votre connexion',
      heading: 'Vérifiez les clés du compte {{ accountName }}',
      body: `C’était votre première connexion en tant que propriétaire du compte {{ accountName }}. Auparavant, des clés secrètes ont été créées (clé, environnement, heure, adresse IP)\u00a0: {{ keys }}.\n\nCes clés permettent toujours d’envoyer et de lire, mais plus d’administrer le compte, ses membres ou ses clés.${ifEndpoints('Des points de terminaison de webhook ont aussi été créés ({{ endpointCount }})\u202f; ils continuent de recevoir les événements.')}`,
      footer:
        'Si vous avez créé ces clés vous-même, créez-en de nouvelles pour l’administration dans la console. Si vous n’en reconnaissez pas une, révoquez-la avec developers.key.revoke (svc developers key revoke), vérifiez les points de terminaison avec developers.webhook.list et travaillez dans un nouveau projet\u00a0: la personne qui a ouvert le compte a pu configurer l’environnement de test.',
    },
    es: {
      subject: 'Claves de {{ accountName }} creadas antes de que iniciara sesión',
      heading: 'Revise las claves de {{ accountName }}',
      body: `Ha iniciado sesión por primera vez en {{ accountName }} con la función «Propietario». Antes se crearon claves secretas (clave, entorno, hora, dirección IP): {{ keys }}.\n\nEstas claves siguen sirviendo para enviar y leer, pero ya no permiten administrar la cuenta, sus miembros ni sus claves.${ifEndpoints('También se crearon endpoints de webhook ({{ endpointCount }}); siguen recibiendo eventos.')}`,
      footer:
        'Si ha creado usted estas claves, cree otras nuevas para la administración en la consola. Si no reconoce alguna, revóquela con developers.key.revoke (svc developers key revoke), revise los endpoints con developers.webhook.list y trabaje en un proyecto nuevo: quien abrió la cuenta pudo haber configurado el entorno de pruebas.',
    },
    pt: {
      subject: 'Chaves de {{ accountName }} criadas antes do seu início de sessão',
      heading: 'Verifique as chaves de {{ accountName }}',
      body: `Iniciou sessão pela primeira vez em {{ accountName }} com a função «Proprietário». Antes disso, foram criadas chaves secretas (chave, ambiente, hora, endereço IP): {{ keys }}.\n\nEstas chaves continuam a permitir enviar e ler, mas já não permitem administrar a conta, os seus membros nem as suas chaves.${ifEndpoints('Também foram criados endpoints de webhook ({{ endpointCount }}); continuam a receber eventos.')}`,
      footer:
        'Se criou estas chaves, crie novas para a administração na consola. Se não reconhecer alguma, revogue-a com developers.key.revoke (svc developers key revoke), verifique os endpoints com developers.webhook.list e trabalhe num novo projeto: quem abriu a conta pode ter configurado o ambiente de teste.',
    },
  },
};
