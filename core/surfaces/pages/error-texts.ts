import type { Translations } from '#core/kernel/language.js';

/** The texts of an error page, as plain text. */
export interface ErrorText {
  heading: string;
  message: string;
  /** What the reader can do now. */
  next: string;
}

/** The errors that any page can show. `failed` is for errors that no other text fits. */
export type CommonPageError = 'not_found' | 'rate_limited' | 'forbidden' | 'unavailable' | 'internal_error' | 'failed';

interface ErrorTexts {
  common: Readonly<Record<CommonPageError, ErrorText>>;
  requestId: string;
}

export const errorTexts: Translations<ErrorTexts> = {
  en: {
    common: {
      not_found: {
        heading: 'This link doesn’t work',
        message: 'The page doesn’t exist, or it no longer exists.',
        next: 'Make sure you copied the whole link, or ask for a new one.',
      },
      rate_limited: {
        heading: 'Too many attempts',
        message: 'There were too many requests from your network in a short time.',
        next: 'Wait a few minutes, then try again.',
      },
      forbidden: {
        heading: 'This isn’t allowed',
        message: 'We couldn’t accept this request.',
        next: 'Open the page again and start over.',
      },
      unavailable: {
        heading: 'Temporarily unavailable',
        message: 'The service can’t respond right now. Nothing was changed.',
        next: 'Try again in a minute.',
      },
      internal_error: {
        heading: 'Something went wrong',
        message: 'The problem is on our end.',
        next: 'Try again. If it happens again, contact us with the request ID below.',
      },
      failed: {
        heading: 'That didn’t work',
        message: 'We couldn’t complete your request.',
        next: 'Reload the page and try again. If it happens again, contact us with the request ID below.',
      },
    },
    requestId: 'Request ID',
  },
  de: {
    common: {
      not_found: {
        heading: 'Dieser Link funktioniert nicht',
        message: 'Diese Seite gibt es nicht oder nicht mehr.',
        next: 'Prüfen Sie, ob der Link vollständig kopiert wurde, oder fordern Sie einen neuen an.',
      },
      rate_limited: {
        heading: 'Zu viele Versuche',
        message: 'Aus Ihrem Netz kamen in kurzer Zeit zu viele Anfragen.',
        next: 'Warten Sie einige Minuten und versuchen Sie es dann noch einmal.',
      },
      forbidden: {
        heading: 'Das ist nicht erlaubt',
        message: 'Die Anfrage wurde abgelehnt.',
        next: 'Öffnen Sie die Seite noch einmal und beginnen Sie von vorn.',
      },
      unavailable: {
        heading: 'Vorübergehend nicht verfügbar',
        message: 'Der Dienst kann gerade nicht antworten. Es wurde nichts geändert.',
        next: 'Versuchen Sie es in einer Minute noch einmal.',
      },
      internal_error: {
        heading: 'Etwas ist schiefgegangen',
        message: 'Der Fehler liegt bei uns, nicht bei Ihnen.',
        next: 'Versuchen Sie es noch einmal. Tritt der Fehler wieder auf, nennen Sie uns die Anfrage-ID unten.',
      },
      failed: {
        heading: 'Das hat nicht funktioniert',
        message: 'Ihre Anfrage konnte nicht ausgeführt werden.',
        next: 'Laden Sie die Seite neu und versuchen Sie es noch einmal. Tritt der Fehler wieder auf, nennen Sie uns die Anfrage-ID unten.',
      },
    },
    requestId: 'Anfrage-ID',
  },
  fr: {
    common: {
      not_found: {
        heading: 'Ce lien ne fonctionne pas',
        message: 'Cette page n’existe pas ou n’existe plus.',
        next: 'Vérifiez que le lien a été copié en entier, ou demandez-en un nouveau.',
      },
      rate_limited: {
        heading: 'Trop de tentatives',
        message: 'Trop de demandes ont été envoyées depuis votre réseau en peu de temps.',
        next: 'Attendez quelques minutes, puis réessayez.',
      },
      forbidden: {
        heading: 'Ce n’est pas autorisé',
        message: 'La demande a été refusée.',
        next: 'Ouvrez de nouveau la page et recommencez.',
      },
      unavailable: {
        heading: 'Momentanément indisponible',
        message: 'Le service ne peut pas répondre pour le moment. Rien n’a été modifié.',
        next: 'Réessayez dans une minute.',
      },
      internal_error: {
        heading: 'Une erreur s’est produite',
        message: 'L’erreur vient de nous, pas de vous.',
        next: 'Réessayez. Si cela se reproduit, indiquez-nous l’identifiant de la demande ci-dessous.',
      },
      failed: {
        heading: 'Cela n’a pas fonctionné',
        message: 'Votre demande n’a pas pu être traitée.',
        next: 'Rechargez la page et réessayez. Si cela se reproduit, indiquez-nous l’identifiant de la demande ci-dessous.',
      },
    },
    requestId: 'Identifiant de la demande',
  },
  es: {
    common: {
      not_found: {
        heading: 'Este enlace no funciona',
        message: 'Esta página no existe o ya no existe.',
        next: 'Compruebe que ha copiado el enlace completo o pida uno nuevo.',
      },
      rate_limited: {
        heading: 'Demasiados intentos',
        message: 'Desde su red se han enviado demasiadas solicitudes en poco tiempo.',
        next: 'Espere unos minutos e inténtelo de nuevo.',
      },
      forbidden: {
        heading: 'Esto no está permitido',
        message: 'La solicitud ha sido rechazada.',
        next: 'Abra de nuevo la página y vuelva a empezar.',
      },
      unavailable: {
        heading: 'No disponible por el momento',
        message: 'El servicio no puede responder en este momento. No se ha cambiado nada.',
        next: 'Inténtelo de nuevo dentro de un minuto.',
      },
      internal_error: {
        heading: 'Algo ha fallado',
        message: 'El error es nuestro, no suyo.',
        next: 'Inténtelo de nuevo. Si vuelve a ocurrir, indíquenos el identificador de la solicitud que figura abajo.',
      },
      failed: {
        heading: 'No ha funcionado',
        message: 'No se ha podido atender su solicitud.',
        next: 'Recargue la página e inténtelo de nuevo. Si vuelve a ocurrir, indíquenos el identificador de la solicitud que figura abajo.',
      },
    },
    requestId: 'Identificador de la solicitud',
  },
  pt: {
    common: {
      not_found: {
        heading: 'Este link não funciona',
        message: 'Esta página não existe ou já não existe.',
        next: 'Verifique se copiou o link completo ou peça um novo.',
      },
      rate_limited: {
        heading: 'Demasiadas tentativas',
        message: 'Foram enviados demasiados pedidos a partir da sua rede em pouco tempo.',
        next: 'Aguarde alguns minutos e tente novamente.',
      },
      forbidden: {
        heading: 'Isto não é permitido',
        message: 'O pedido foi recusado.',
        next: 'Volte a abrir a página e recomece.',
      },
      unavailable: {
        heading: 'Temporariamente indisponível',
        message: 'O serviço não pode responder neste momento. Nada foi alterado.',
        next: 'Tente novamente dentro de um minuto.',
      },
      internal_error: {
        heading: 'Algo correu mal',
        message: 'O erro é nosso, não seu.',
        next: 'Tente novamente. Se voltar a acontecer, indique-nos o identificador do pedido abaixo.',
      },
      failed: {
        heading: 'Não funcionou',
        message: 'Não foi possível executar o seu pedido.',
        next: 'Recarregue a página e tente novamente. Se voltar a acontecer, indique-nos o identificador do pedido abaixo.',
      },
    },
    requestId: 'Identificador do pedido',
  },
};
