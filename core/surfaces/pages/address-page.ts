import type { SvcError } from '#core/kernel/errors/errors.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { errorPage } from './error-page.js';
import type { ErrorText } from './error-texts.js';
import type { Translations } from '#core/kernel/language.js';
import { textsFor } from './texts.js';

type AddressTexts = Readonly<Record<'unknown_operation' | 'method_not_allowed', ErrorText>>;

const texts: Translations<AddressTexts> = {
  en: {
    unknown_operation: {
      heading: 'Page not found',
      message: 'There’s nothing at this address.',
      next: 'Make sure you copied the whole link. If it came in a message, open it from there again.',
    },
    method_not_allowed: {
      heading: 'This address is for programs',
      message: 'Programs send POST requests here; there is nothing to see in a browser.',
      next: 'See the reference for what to send and what comes back.',
    },
  },
  de: {
    unknown_operation: {
      heading: 'Seite nicht gefunden',
      message: 'Unter dieser Adresse gibt es nichts.',
      next: 'Prüfen Sie, ob der Link vollständig kopiert wurde. Wenn er in einer Nachricht stand, öffnen Sie die Nachricht noch einmal.',
    },
    method_not_allowed: {
      heading: 'Diese Adresse ist für Programme bestimmt',
      message: 'Programme senden POST-Anfragen hierher; im Browser gibt es hier nichts zu sehen.',
      next: 'Die Referenz beschreibt, was gesendet werden kann und was zurückkommt.',
    },
  },
  fr: {
    unknown_operation: {
      heading: 'Page introuvable',
      message: 'Il n’y a rien à cette adresse.',
      next: 'Vérifiez que le lien a été copié en entier. S’il figurait dans un message, ouvrez le message de nouveau.',
    },
    method_not_allowed: {
      heading: 'Cette adresse est destinée aux programmes',
      message: 'Les programmes y envoient des requêtes POST\u202f; il n’y a rien à afficher dans un navigateur.',
      next: 'La référence décrit ce qui peut être envoyé et ce qui est renvoyé.',
    },
  },
  es: {
    unknown_operation: {
      heading: 'Página no encontrada',
      message: 'En esta dirección no hay nada.',
      next: 'Compruebe que ha copiado el enlace completo. Si estaba en un mensaje, abra de nuevo el mensaje.',
    },
    method_not_allowed: {
      heading: 'Esta dirección es para programas',
      message: 'Los programas envían aquí solicitudes POST; en un navegador no hay nada que ver.',
      next: 'La referencia describe lo que se puede enviar y lo que se devuelve.',
    },
  },
  pt: {
    unknown_operation: {
      heading: 'Página não encontrada',
      message: 'Não há nada neste endereço.',
      next: 'Verifique se copiou o link completo. Se estava numa mensagem, abra a mensagem de novo.',
    },
    method_not_allowed: {
      heading: 'Este endereço é para programas',
      message: 'Os programas enviam pedidos POST para aqui; num navegador não há nada para ver.',
      next: 'A referência descreve o que pode ser enviado e o que é devolvido.',
    },
  },
};

const linkNames: Translations<{ reference: string; start: string }> = {
  en: { reference: 'Reference', start: 'About this server' },
  de: { reference: 'Referenz', start: 'Über diesen Server' },
  fr: { reference: 'Référence', start: 'À propos de ce serveur' },
  es: { reference: 'Referencia', start: 'Acerca de este servidor' },
  pt: { reference: 'Referência', start: 'Sobre este servidor' },
};

interface AddressPageOptions {
  refusal: SvcError;
  requestId: string;
  /** BCP 47 tags, best first. */
  languages: readonly string[];
  /** Where the reference describes the address. */
  reference: string;
}

/** Tells a person who opened an address that is not a page, such as an operation's, what it is and where to go. */
export function addressPage({ reference, ...options }: AddressPageOptions): PageAnswer {
  const names = textsFor(linkNames, options.languages).texts;
  return errorPage({
    ...options,
    texts,
    links: [
      [reference, names.reference],
      ['/', names.start],
    ],
  });
}
