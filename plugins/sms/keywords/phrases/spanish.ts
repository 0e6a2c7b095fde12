import type { KeywordPhrases } from './phrases.js';

export const spanish: KeywordPhrases = {
  locales: ['es'],
  stop: 'BAJA, DAR DE BAJA, DARSE DE BAJA, DARME DE BAJA, DEME DE BAJA, DETENER, DETENGA, PARAR, PAREN, PARE, PARA, ALTO, CANCELAR, CANCELE, CANCELA, CANCELEN, ANULAR, ANULE, ANULA, DESUSCRIBIR, DESUSCRIBIRSE, DESUSCRIBIRME, ELIMINAR, SALIR, TERMINAR, FIN, NO MAS MENSAJES, NO MAS SMS',
  start: 'ALTA, INICIAR, SUSCRIBIR, SUSCRIBIRSE, SUSCRIBIRME, DARME DE ALTA, DARSE DE ALTA',
  help: 'AYUDA',
  texts:
    'mensajes, mensaje, mensajitos, textos, publicidad, boletines, boletín, avisos, promociones, notificaciones, correos',
  wishes: [
    '(quiero|deseo|quisiera|me gustaría|necesito|solicito|pido) (darme de baja|desuscribirme|la baja|mi baja|anular la suscripción|cancelar la suscripción|cancelar mi suscripción|anular mi suscripción|salir de la lista|que me den de baja|dejar de recibir sms|dejar de recibirlos)',
    'me (quiero|quisiera|deseo) (dar de baja|desuscribir)',
    '(ya|) no (me|) (envíe|envíen|envíes|envien|mande|manden|mandes|escriba|escriban) más',
    '(me doy|denme|dénme|deme|dame|dadme|déme|me den|me da|me dan|me puede dar|me pueden dar|pueden darme|puede darme|favor de darme) de baja',
    '(dar|darse|darme|darnos|demos) de baja (de|del|de la|de los|de todos los|de este|de esta|) (sms|lista|servicio) (por sms|)',
    '(de baja|la baja|baja por sms|baja sms|solicito baja|baja inmediata|baja ya|dar baja|darme baja|dame baja|darse baja|pido baja)',
    'no (quiero|deseo|quisiera|me interesa) (recibir|que me envíen|que me manden|) (más|sus|estos|) sms (suyos|de ustedes|)',
    '(ya|) no (quiero|deseo) (recibir|) (más|sus|estos|) sms',
    'no más sms',
    '(ya|) no (me|) (envíe|envíen|envíes|enviéis|mande|manden|mandes|mandéis|enviar|mandar|envien|enviarme|mandarme) (más|) (sms|nada)',
    '(ya|) no (me) (escriba|escriban|escribas|escribáis|contacte|contacten|contactes|molesten con sms) (más|)',
    '(deje|dejen|deja|dejad|paren|pare|dejar|parar) de (enviar|mandar|enviarme|mandarme|escribir|escribirme|contactarme|enviarme más|mandarme más) (sms|)',
    '(paren|pare|detengan|detenga|detener|parar|para|cancelar|cancele|cancelen|anular|anule) (los|sus|estos|todos los|el envío de|) (sms|envíos)',
    '(quítenme|quíteme|quítame|sáquenme|sáqueme|sácame|bórrenme|bórreme|bórrame|elimínenme|elimíneme|elimíname|quitarme|borrarme|eliminarme) (de la lista|de su lista|de esta lista|de sus listas|)',
    '(eliminar|elimine|eliminen|borrar|borre|borren|quitar|quiten) mi (número|teléfono|suscripción)',
    '(cancelar|cancele|cancelen|cancela|anular|anule|anulen|anula|terminar|detener|dar de baja|eliminar) (la|mi|esta|su|) (suscripción|suscripciones|inscripción)',
    '(revoco|retiro) (mi|el) consentimiento',
    '(revocar|desinscribir|desinscribirme|desinscribirse|desuscriba|desuscríbame|desuscríbanme|desuscríbeme|desuscripción|anulen|detengan|darse de vaja|darme de vaja|vaja|bajas|cancelacion|anulación|dejar de recibir|desapuntarme|desapúntenme|desapuntar|no recibir más|no recibir más sms)',
    '(canselar|cancelr|canclar|canelar|anualr|detner|parrar|desuscrivir|desuscrivirme)',
    '(basta|suficiente) de sms',
  ],
  around: [
    '(hola|buenas|buenos días|buenas tardes|buenas noches|por|favor|porfavor|porfa|xfavor|xfa|pf|gracias|muchas|saludos|un saludo|de antemano|les|le|ruego|agradezco|se lo ruego)',
    '(los|de texto|suscripción|la suscripción|ya|ahora|inmediatamente|los sms|todo|todos|publicidad|sus mensajes|de inmediato)',
  ],
  again: [
    '(quiero|deseo|quisiera|me gustaría) (suscribirme|darme de alta|volver a suscribirme|volver a recibir sms|recibir sms) (de nuevo|otra vez|)',
    '(permitir|recibir|activar|reanudar|reactivar) (sms|los sms) (de nuevo|otra vez|)',
    '(volver a|) (suscribirme|suscribirse|recibir sms|dar de alta|darme de alta|empezar) (de nuevo|otra vez|)',
    '(dar de alta|deme de alta|denme de alta|dame de alta|reanudar|reanude|reiniciar|reactivar|activar|comenzar|comience|empezar|empiece|continuar|volver|suscríbame|suscríbanme|suscripción|inscribirme)',
  ],
  yes: ['(sí|sii|sí quiero|sí claro|claro que sí)'],
  please: ['(por favor|porfavor|porfa|hola|de nuevo|otra vez)'],
};
