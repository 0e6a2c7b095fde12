import type { InviteTexts } from './texts.js';

export const es: InviteTexts = {
  title: 'Invitación a {account}',
  heading: 'Tiene una invitación a {account}',
  lead: '{inviter} le invita a ser miembro de esta cuenta.',
  leadWithoutInviter: 'Le han invitado a ser miembro de esta cuenta.',
  address: 'Correo electrónico',
  role: 'Su función',
  validUntil: 'Válida hasta',
  roles: {
    owner: {
      name: 'Propietario',
      description: 'Puede hacerlo todo, incluso lo reservado a los propietarios, como cerrar la cuenta.',
    },
    admin: { name: 'Administrador', description: 'Puede hacerlo todo, salvo lo reservado a los propietarios.' },
    developer: {
      name: 'Desarrollador',
      description:
        'Puede verlo todo y modificar el inicio de sesión, el correo, los SMS, las audiencias, las claves y los webhooks.',
    },
    viewer: { name: 'Observador', description: 'Puede verlo todo, sin modificar nada.' },
  },
  narrowed: {
    change: 'Puede modificar: {areas}.',
    see: 'Puede ver: {areas}.',
    areas: {
      account: 'cuenta',
      auth: 'acceso',
      email: 'correo',
      sms: 'SMS',
      audience: 'audiencias',
      billing: 'facturación',
      developers: 'claves y webhooks',
    },
  },
  next: {
    heading: 'Siguiente paso',
    unavailable:
      'El inicio de sesión no está disponible en este servidor, por lo que la invitación no se puede aceptar aquí. Póngase en contacto con la persona que le invitó.',
  },
  accept: {
    heading: 'Aceptar la invitación',
    start: 'Para aceptar, confirme que {email} es su dirección: le enviamos un código.',
    sendCode: 'Enviar el código',
    sendAgain: 'Enviar otro código',
    sent: 'Hemos enviado un código a {email}. Es válido durante diez minutos.',
    code: 'Código del correo',
    second: 'Su cuenta está protegida por el inicio de sesión en dos pasos.',
    secondCode: 'Código de su aplicación de autenticación o un código de recuperación',
    button: 'Aceptar la invitación',
    signIn: 'Inicie sesión como {email} para aceptar la invitación.',
    signInButton: 'Iniciar sesión',
    doneHeading: 'Ya es miembro',
    done: 'Se ha unido a {account}.',
    after: {
      heading: 'Lo que puede hacer ahora',
      signIn: 'Proteger su inicio de sesión',
      signInWhy: 'Añada una llave de acceso o un segundo paso y vea dónde tiene la sesión iniciada.',
      invoices:
        'Los correos sobre facturas se envían a los propietarios o a la dirección de los datos de facturación. Su enlace lleva a una página donde puede ver la factura y pagarla.',
      console: 'Abrir la consola',
      work: 'También se puede trabajar con la cuenta mediante programas y en la línea de comandos, como describe {reference} (en inglés). Para instalar la herramienta de línea de comandos e iniciar sesión en ella:',
      reference: 'la referencia',
    },
    mistakes: {
      wrongCode: 'Ese código no es correcto. Compruébelo e inténtelo de nuevo.',
      codeEnded: 'Ese código ya no se puede usar. Pida que le enviemos otro.',
      nothingWaits:
        'El inicio de sesión ha caducado, o su navegador bloquea las cookies. Permítalas para este sitio y pida otro código.',
    },
  },
  problems: {
    unknown: {
      heading: 'Invitación no encontrada',
      explanation: 'El enlace está incompleto, o esta invitación nunca existió.',
      next: 'Abra de nuevo el enlace del correo y compruebe que está completo. Si no basta, pida otro a la persona que le invitó.',
    },
    expired: {
      heading: 'Esta invitación ha caducado',
      explanation: 'El enlace solo era válido por un tiempo limitado.',
      next: 'Pida otra invitación a la persona que le invitó.',
    },
    revoked: {
      heading: 'Esta invitación se ha retirado',
      explanation: 'El enlace ya no funciona.',
      next: 'Si cree que es un error, pida una nueva invitación a un propietario o administrador de la cuenta.',
    },
    accepted: {
      heading: 'Esta invitación ya se ha aceptado',
      explanation: 'Una invitación solo puede aceptarse una vez.',
      next: 'Si la aceptó usted, ya es miembro. Si fue otra persona, avise a un propietario de la cuenta.',
    },
    limited: {
      heading: 'Demasiados intentos',
      explanation: 'Ha habido demasiados intentos desde su red en poco tiempo.',
      next: 'Su invitación sigue siendo válida: abra de nuevo el enlace dentro de una hora.',
    },
    secondStep: {
      heading: 'Es obligatorio un segundo paso',
      explanation:
        'Aquí el inicio de sesión pide un segundo paso con una aplicación de autenticación, y usted aún no ha configurado ninguna. Su invitación no se ve afectada.',
      next: 'Configúrela en la página de abajo y abra después de nuevo el enlace del correo.',
    },
    failed: {
      heading: 'Esta página no se puede mostrar ahora',
      explanation: 'Algo ha fallado por nuestra parte. Su invitación no se ve afectada.',
      next: 'Inténtelo de nuevo dentro de unos minutos. Si vuelve a ocurrir, indique a los operadores de este servicio este identificador de solicitud: {requestId}',
    },
  },
};
