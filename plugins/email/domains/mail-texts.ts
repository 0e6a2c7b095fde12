import type { EmailSystemTemplate } from '#core/messaging/system-template.js';

const facts = {
  channel: 'email',
  budget: 'notice',
  variables: ['domain', 'projectName', 'records'],
  requiredVariables: ['domain'],
} as const;

/** The mail that informs owners that records of a verified domain went missing. */
export const pendingMail: EmailSystemTemplate = {
  name: 'email.domain.pending',
  description: 'Sent to the account’s owners when DNS records of a verified sending domain no longer resolve.',
  ...facts,
  locales: {
    en: {
      subject: 'DNS records of {{ domain }} are missing',
      heading: 'DNS records of {{ domain }} are missing',
      body: 'The sending domain {{ domain }} of {{ projectName }} was verified, but these records no longer resolve: {{ records }}. If they aren’t back within 72 hours, mail from the domain will no longer be accepted.',
      footer: 'Publish the records again, then call email.domain.verify. email.domain.get shows what was found.',
    },
    de: {
      subject: 'DNS-Einträge von {{ domain }} fehlen',
      heading: 'DNS-Einträge von {{ domain }} fehlen',
      body: 'Die Absenderdomain {{ domain }} von {{ projectName }} war bestätigt, aber diese Einträge sind nicht mehr auffindbar: {{ records }}. Sind sie nach 72 Stunden nicht wieder da, werden E-Mails von dieser Domain nicht mehr angenommen.',
      footer:
        'Veröffentlichen Sie die Einträge wieder und rufen Sie dann email.domain.verify auf. email.domain.get zeigt, was gefunden wurde.',
    },
    fr: {
      subject: 'Des enregistrements DNS du domaine {{ domain }} manquent',
      heading: 'Des enregistrements DNS du domaine {{ domain }} manquent',
      body: 'Le domaine d’envoi {{ domain }} (projet {{ projectName }}) était vérifié, mais ces enregistrements sont introuvables\u00a0: {{ records }}. S’ils ne sont pas rétablis sous 72 heures, les e-mails de ce domaine ne seront plus acceptés.',
      footer:
        'Publiez de nouveau les enregistrements, puis appelez email.domain.verify. email.domain.get montre ce qui a été trouvé.',
    },
    es: {
      subject: 'Faltan registros DNS de {{ domain }}',
      heading: 'Faltan registros DNS de {{ domain }}',
      body: 'El dominio de envío {{ domain }} de {{ projectName }} estaba verificado, pero estos registros ya no se encuentran: {{ records }}. Si no vuelven en 72 horas, no se aceptará más correo de este dominio.',
      footer:
        'Publique de nuevo los registros y llame después a email.domain.verify. email.domain.get muestra lo que se encontró.',
    },
    pt: {
      subject: 'Faltam registos DNS de {{ domain }}',
      heading: 'Faltam registos DNS de {{ domain }}',
      body: 'O domínio de envio {{ domain }} de {{ projectName }} estava verificado, mas estes registos já não são encontrados: {{ records }}. Se não voltarem dentro de 72 horas, deixam de ser aceites e-mails desse domínio.',
      footer:
        'Publique de novo os registos e depois chame email.domain.verify. email.domain.get mostra o que foi encontrado.',
    },
  },
};

/** The mail that informs owners that no DKIM record of a domain resolves any more. */
export const unsignedMail: EmailSystemTemplate = {
  name: 'email.domain.unsigned',
  description: 'Sent to the account’s owners when no DKIM record of a sending domain resolves any more.',
  ...facts,
  locales: {
    en: {
      subject: 'Mail from {{ domain }} is no longer signed',
      heading: 'Mail from {{ domain }} is no longer signed',
      body: 'No DKIM record of the sending domain {{ domain }} of {{ projectName }} resolves any more. These records are missing: {{ records }}. Until they are back, broadcasts from the domain are on hold, other mail with a topic waits, and mail without a topic is sent unsigned. If the records aren’t back within 72 hours, mail from the domain will no longer be accepted.',
      footer:
        'Publish the records again, call email.domain.verify, and then email.broadcast.resume for each broadcast that is on hold. email.domain.get shows the values.',
    },
    de: {
      subject: 'E-Mails von {{ domain }} werden nicht mehr signiert',
      heading: 'E-Mails von {{ domain }} werden nicht mehr signiert',
      body: 'Für die Absenderdomain {{ domain }} von {{ projectName }} ist kein DKIM-Eintrag mehr auffindbar. Diese Einträge fehlen: {{ records }}. Bis sie wieder da sind, sind Rundsendungen von der Domain angehalten, andere E-Mails zu einem Thema warten, und E-Mails ohne Thema gehen unsigniert hinaus. Sind die Einträge nach 72 Stunden nicht wieder da, werden E-Mails von dieser Domain nicht mehr angenommen.',
      footer:
        'Veröffentlichen Sie die Einträge wieder, rufen Sie email.domain.verify auf und dann email.broadcast.resume für jede angehaltene Rundsendung. email.domain.get zeigt die Werte.',
    },
    fr: {
      subject: 'Les e-mails du domaine {{ domain }} ne sont plus signés',
      heading: 'Les e-mails du domaine {{ domain }} ne sont plus signés',
      body: 'Plus aucun enregistrement DKIM du domaine d’envoi {{ domain }} (projet {{ projectName }}) n’est trouvé. Ces enregistrements manquent\u00a0: {{ records }}. Tant qu’ils manquent, les envois groupés de ce domaine sont suspendus, les autres e-mails liés à un thème attendent, et les e-mails sans thème partent sans signature. Si les enregistrements ne sont pas rétablis sous 72 heures, les e-mails de ce domaine ne seront plus acceptés.',
      footer:
        'Publiez de nouveau les enregistrements, appelez email.domain.verify, puis email.broadcast.resume pour chaque envoi suspendu. email.domain.get montre les valeurs.',
    },
    es: {
      subject: 'El correo de {{ domain }} ya no se firma',
      heading: 'El correo de {{ domain }} ya no se firma',
      body: 'Ya no se encuentra ningún registro DKIM del dominio de envío {{ domain }} de {{ projectName }}. Faltan estos registros: {{ records }}. Hasta que vuelvan, los envíos masivos de este dominio quedan retenidos, el resto del correo con tema espera y el correo sin tema sale sin firma. Si los registros no vuelven en 72 horas, no se aceptará más correo de este dominio.',
      footer:
        'Publique de nuevo los registros, llame a email.domain.verify y después a email.broadcast.resume por cada envío retenido. email.domain.get muestra los valores.',
    },
    pt: {
      subject: 'Os e-mails de {{ domain }} já não são assinados',
      heading: 'Os e-mails de {{ domain }} já não são assinados',
      body: 'Já não é encontrado nenhum registo DKIM do domínio de envio {{ domain }} de {{ projectName }}. Faltam estes registos: {{ records }}. Até que voltem, os envios em massa deste domínio ficam retidos, os outros e-mails com tema esperam e os e-mails sem tema saem sem assinatura. Se os registos não voltarem dentro de 72 horas, deixam de ser aceites e-mails desse domínio.',
      footer:
        'Publique de novo os registos, chame email.domain.verify e depois email.broadcast.resume para cada envio retido. email.domain.get mostra os valores.',
    },
  },
};

/** The mail that informs owners that a domain has new DKIM keys to publish. */
export const newKeysMail: EmailSystemTemplate = {
  name: 'email.domain.new_keys',
  description: 'Sent to the account’s owners when the operator has made new DKIM keys for a sending domain.',
  ...facts,
  locales: {
    en: {
      subject: 'New DKIM keys for {{ domain }}',
      heading: 'Publish the new DKIM keys of {{ domain }}',
      body: 'The sending domain {{ domain }} of {{ projectName }} has new keys. Please publish these records: {{ records }}. Mail is signed with the current keys until they are found.',
      footer:
        'email.domain.get shows the values. Leave the old records in place for as long as it lists them: mail in transit needs them.',
    },
    de: {
      subject: 'Neue DKIM-Schlüssel für {{ domain }}',
      heading: 'Veröffentlichen Sie die neuen DKIM-Schlüssel von {{ domain }}',
      body: 'Die Absenderdomain {{ domain }} von {{ projectName }} hat neue Schlüssel. Bitte veröffentlichen Sie diese Einträge: {{ records }}. Bis sie auffindbar sind, werden E-Mails mit den bisherigen Schlüsseln signiert.',
      footer:
        'email.domain.get zeigt die Werte. Lassen Sie die alten Einträge stehen, solange sie dort aufgeführt sind: E-Mails, die unterwegs sind, brauchen sie.',
    },
    fr: {
      subject: 'Nouvelles clés DKIM pour {{ domain }}',
      heading: 'Publiez les nouvelles clés DKIM du domaine {{ domain }}',
      body: 'Le domaine d’envoi {{ domain }} (projet {{ projectName }}) a de nouvelles clés. Veuillez publier ces enregistrements\u00a0: {{ records }}. Tant qu’ils sont introuvables, les e-mails sont signés avec les clés actuelles.',
      footer:
        'email.domain.get montre les valeurs. Laissez les anciens enregistrements en place tant qu’ils y figurent\u00a0: les e-mails en route en ont besoin.',
    },
    es: {
      subject: 'Nuevas claves DKIM para {{ domain }}',
      heading: 'Publique las nuevas claves DKIM de {{ domain }}',
      body: 'El dominio de envío {{ domain }} de {{ projectName }} tiene claves nuevas. Publique estos registros: {{ records }}. Hasta que se encuentren, el correo se firma con las claves actuales.',
      footer:
        'email.domain.get muestra los valores. Deje los registros antiguos mientras aparezcan allí: el correo en camino los necesita.',
    },
    pt: {
      subject: 'Novas chaves DKIM para {{ domain }}',
      heading: 'Publique as novas chaves DKIM de {{ domain }}',
      body: 'O domínio de envio {{ domain }} de {{ projectName }} tem chaves novas. Publique estes registos: {{ records }}. Até que sejam encontrados, os e-mails são assinados com as chaves atuais.',
      footer:
        'email.domain.get mostra os valores. Mantenha os registos antigos enquanto lá constarem: os e-mails a caminho precisam deles.',
    },
  },
};

/** The mail that informs owners that a verified domain needs records that were not required before. */
export const newRecordsMail: EmailSystemTemplate = {
  name: 'email.domain.new_records',
  description:
    'Sent to the account’s owners when a verified sending domain needs additional DNS records, because the operator has changed the settings.',
  ...facts,
  locales: {
    en: {
      subject: 'New DNS records for {{ domain }}',
      heading: 'Publish the new DNS records of {{ domain }}',
      body: 'The sending domain {{ domain }} of {{ projectName }} now needs additional DNS records: {{ records }}. The operator of this server has changed its settings. Mail from the domain is still accepted; if the records aren’t there within 72 hours, it no longer will be.',
      footer: 'email.domain.get shows the values. Publish the records, then call email.domain.verify.',
    },
    de: {
      subject: 'Neue DNS-Einträge für {{ domain }}',
      heading: 'Veröffentlichen Sie die neuen DNS-Einträge von {{ domain }}',
      body: 'Die Absenderdomain {{ domain }} von {{ projectName }} braucht DNS-Einträge, die bisher nicht verlangt waren: {{ records }}. Sie sind nötig, weil der Betreiber dieses Servers dessen Einstellungen geändert hat. E-Mails von der Domain werden weiterhin angenommen; fehlen die Einträge nach 72 Stunden noch, werden keine mehr angenommen.',
      footer:
        'email.domain.get zeigt die Werte. Veröffentlichen Sie die Einträge und rufen Sie dann email.domain.verify auf.',
    },
    fr: {
      subject: 'Nouveaux enregistrements DNS pour {{ domain }}',
      heading: 'Publiez les nouveaux enregistrements DNS du domaine {{ domain }}',
      body: 'Le domaine d’envoi {{ domain }} (projet {{ projectName }}) a besoin d’enregistrements DNS qui n’étaient pas demandés jusqu’ici\u00a0: {{ records }}. Ils sont nécessaires car l’exploitant de ce serveur a modifié ses réglages. Les e-mails de ce domaine sont toujours acceptés\u202f; si les enregistrements ne sont pas en place sous 72 heures, ils ne le seront plus.',
      footer: 'email.domain.get montre les valeurs. Publiez les enregistrements, puis appelez email.domain.verify.',
    },
    es: {
      subject: 'Nuevos registros DNS para {{ domain }}',
      heading: 'Publique los nuevos registros DNS de {{ domain }}',
      body: 'El dominio de envío {{ domain }} de {{ projectName }} necesita registros DNS que antes no se pedían: {{ records }}. Son necesarios porque el operador de este servidor ha cambiado su configuración. El correo de este dominio se sigue aceptando; si los registros no están publicados en 72 horas, dejará de aceptarse.',
      footer: 'email.domain.get muestra los valores. Publique los registros y llame después a email.domain.verify.',
    },
    pt: {
      subject: 'Novos registos DNS para {{ domain }}',
      heading: 'Publique os novos registos DNS de {{ domain }}',
      body: 'O domínio de envio {{ domain }} de {{ projectName }} precisa de registos DNS que antes não eram pedidos: {{ records }}. São necessários porque o operador deste servidor alterou as definições. Os e-mails deste domínio continuam a ser aceites; se os registos não estiverem publicados dentro de 72 horas, deixam de o ser.',
      footer: 'email.domain.get mostra os valores. Publique os registos e depois chame email.domain.verify.',
    },
  },
};

/** The mail that informs owners that a domain has failed. */
export const failedMail: EmailSystemTemplate = {
  name: 'email.domain.failed',
  description: 'Sent to the account’s owners when DNS records of a sending domain have been missing for 72 hours.',
  ...facts,
  locales: {
    en: {
      subject: 'Verification of the sending domain failed: {{ domain }}',
      heading: 'Verification of the sending domain {{ domain }} failed',
      body: 'These DNS records of {{ domain }} ({{ projectName }}) have been missing for 72 hours: {{ records }}. Mail from the domain is not accepted.',
      footer:
        'Publish the records, then call email.domain.verify: once they resolve, the domain is verified again. email.domain.get shows what was found.',
    },
    de: {
      subject: 'Prüfung der Absenderdomain fehlgeschlagen: {{ domain }}',
      heading: 'Die Prüfung der Absenderdomain {{ domain }} ist fehlgeschlagen',
      body: 'Diese DNS-Einträge von {{ domain }} ({{ projectName }}) fehlen seit 72 Stunden: {{ records }}. E-Mails von dieser Domain werden nicht angenommen.',
      footer:
        'Veröffentlichen Sie die Einträge und rufen Sie dann email.domain.verify auf: Sobald sie auffindbar sind, ist die Domain wieder bestätigt. email.domain.get zeigt, was gefunden wurde.',
    },
    fr: {
      subject: 'Échec de la vérification du domaine d’envoi\u00a0: {{ domain }}',
      heading: 'La vérification du domaine d’envoi {{ domain }} a échoué',
      body: 'Ces enregistrements DNS du domaine {{ domain }} ({{ projectName }}) manquent depuis 72 heures\u00a0: {{ records }}. Les e-mails de ce domaine ne sont pas acceptés.',
      footer:
        'Publiez les enregistrements, puis appelez email.domain.verify\u00a0: dès qu’ils sont trouvés, le domaine est de nouveau vérifié. email.domain.get montre ce qui a été trouvé.',
    },
    es: {
      subject: 'Ha fallado la verificación del dominio de envío: {{ domain }}',
      heading: 'La verificación del dominio de envío {{ domain }} ha fallado',
      body: 'Estos registros DNS de {{ domain }} ({{ projectName }}) faltan desde hace 72 horas: {{ records }}. No se acepta correo de este dominio.',
      footer:
        'Publique los registros y llame después a email.domain.verify: en cuanto se encuentren, el dominio volverá a estar verificado. email.domain.get muestra lo que se encontró.',
    },
    pt: {
      subject: 'A verificação do domínio de envio falhou: {{ domain }}',
      heading: 'A verificação do domínio de envio {{ domain }} falhou',
      body: 'Estes registos DNS de {{ domain }} ({{ projectName }}) faltam há 72 horas: {{ records }}. E-mails desse domínio não são aceites.',
      footer:
        'Publique os registos e depois chame email.domain.verify: assim que forem encontrados, o domínio volta a estar verificado. email.domain.get mostra o que foi encontrado.',
    },
  },
};
