import { counted } from './counted.js'
import type { Messages } from './messages.js'

/**
 * The words in Spanish, with numbers as they are written in the region of `locale`, any tag that begins with `es`. New
 * words each time: make them outside of what renders.
 */
export function spanishFor(locale: string): Messages {
  const count = counted(locale)
  const number = count({ other: '#' })
  /** Millions ask for a "de" before what is counted. */
  const things = (one: string, other: string) => count({ one: `# ${one}`, many: `# de ${other}`, other: `# ${other}` })
  const kilobytes = count({ other: 'se omitió un bloque de # KB' })

  return {
    toolCall: 'Llamada a herramienta',
    status: {
      pending: 'Pendiente',
      waiting: 'Esperando su respuesta',
      running: 'En curso',
      done: 'Completada',
      error: 'Fallida',
      aborted: 'Interrumpida',
      denied: 'Denegada',
      unknown: 'Estado desconocido',
    },
    calling: 'Llamando…',
    loadingArguments: 'cargando argumentos…',
    titleRunning: {
      command: (argument) => `Ejecutando ${argument}`,
      query: (argument) => `Buscando ${argument}`,
      url: (argument) => `Abriendo ${argument}`,
    },
    titleEnded: {
      command: (argument) => `Ejecutado: ${argument}`,
      query: (argument) => `Búsqueda: ${argument}`,
      url: (argument) => `Abierto: ${argument}`,
    },
    modeLive: 'En vivo',
    modeReplay: 'Grabación',

    outcome: {
      done: 'Valor final',
      error: 'Fallida',
      aborted: 'Interrumpida',
      denied: 'Denegada',
      unknown: 'Desenlace desconocido',
    },
    endedWithoutResult: 'Terminó sin resultado',
    outcomeUnknownHint: 'No se sabe cómo terminó.',
    unknownCause: {
      connection_closed: 'La conexión se cerró antes de que llegara un resultado.',
      session_ended: 'La sesión terminó antes de que llegara un resultado.',
      resume_refused: 'La conexión se interrumpió y lo que se perdió ya no se puede recuperar.',
    },
    noValue: 'No se devolvió ningún valor',
    emptyText: '(texto vacío)',
    callerRecorded: 'Quien hizo la llamada registró:',

    arguments: 'Argumentos',
    argumentsCutOff: 'Los argumentos se cortan aquí',
    argumentsBroken: count({ other: 'No es JSON a partir del carácter #, así que se muestra tal como llegó' }),
    masked: 'oculto',
    process: (position) => (position === undefined ? 'Proceso' : `Proceso ${number(position)}`),
    processEnded: (position) =>
      position === undefined ? 'Proceso terminado' : `Proceso ${number(position)} terminado`,
    blocks: things('bloque', 'bloques'),
    noEndReported: 'no se informó del final',
    droppedBlocks: count({
      one: 'se descartó # bloque anterior',
      many: 'se descartaron # de bloques anteriores',
      other: 'se descartaron # bloques anteriores',
    }),
    numberingSkips: count({ other: 'la numeración se salta #' }),
    interruption: (lost, back) =>
      back === undefined
        ? `sin conexión desde las ${lost}; pueden faltar bloques`
        : `sin conexión de ${lost} a ${back}; pueden faltar bloques`,
    newerMessages: count({
      one: '# mensaje es de una versión más reciente',
      many: '# de mensajes son de una versión más reciente',
      other: '# mensajes son de una versión más reciente',
    }),
    waiting: 'Esperando el primer bloque…',
    noDetails: 'Sin detalles del proceso',
    nothingKnown: 'Todavía no se sabe nada de esta llamada',
    noLongerKept: 'Esta llamada ya no se conserva',

    thinking: 'Pensando…',
    thought: 'Razonamiento',
    thoughtFor: (duration) => `Pensó durante ${duration}`,
    errorLine: 'Error',
    blockLeftOut: (size) => kilobytes(Math.ceil(size / 1024)),
    unnamedTool: 'herramienta',

    outputOf: (tool) => (tool === undefined ? 'Salida' : `Salida de ${tool}`),
    lines: things('línea', 'líneas'),
    newLines: things('línea nueva', 'líneas nuevas'),
    droppedLines: count({
      one: 'se descartó # línea anterior',
      many: 'se descartaron # de líneas anteriores',
      other: 'se descartaron # líneas anteriores',
    }),
    moreCharacters: things('carácter más', 'caracteres más'),
    fullScreenOutput: count({
      one: 'un programa a pantalla completa dibujó # carácter, que no se muestra',
      many: 'un programa a pantalla completa dibujó # de caracteres, que no se muestran',
      other: 'un programa a pantalla completa dibujó # caracteres, que no se muestran',
    }),
    refusedChunks: count({
      one: '# fragmento de la salida llegó demasiado tarde para mostrarse',
      many: '# de fragmentos de la salida llegaron demasiado tarde para mostrarse',
      other: '# fragmentos de la salida llegaron demasiado tarde para mostrarse',
    }),
    search: 'Buscar',
    searchFor: 'Buscar en la salida',
    wrap: 'Ajustar líneas',
    save: 'Guardar',
    previousMatch: 'Coincidencia anterior',
    nextMatch: 'Coincidencia siguiente',
    closeSearch: 'Cerrar búsqueda',
    caseSensitive: 'Distinguir mayúsculas y minúsculas',
    regularExpression: 'Expresión regular',
    invalidExpression: 'No es una expresión regular válida',
    matches: (current, found, isCapped) =>
      found === 0
        ? 'Sin coincidencias'
        : `${current > 0 ? number(current) : '–'} de ${number(found)}${isCapped ? '+' : ''}`,

    copy: 'Copiar',
    copyOf: (what) => `Copiar: ${what}`,
    copied: 'Copiado',
    copyFailed: 'No se copió',
    showAllLines: count({
      one: 'Mostrar todo (# línea)',
      many: 'Mostrar todo (# de líneas)',
      other: 'Mostrar todo (# líneas)',
    }),
    showAllCharacters: count({
      one: 'Mostrar todo (# carácter)',
      many: 'Mostrar todo (# de caracteres)',
      other: 'Mostrar todo (# caracteres)',
    }),
    showMore: count({ other: 'Mostrar # más' }),
    showEarlier: count({ one: 'Mostrar # anterior', other: 'Mostrar # anteriores' }),
    showLess: 'Mostrar menos',
    entries: things('elemento', 'elementos'),

    wantsToRun: (tool, agent, server) =>
      `${agent === undefined ? 'El agente' : `El subagente ${agent}`} quiere ejecutar ${tool}${
        server === undefined ? '' : ` a través de ${server}`
      }.`,
    changesData: 'modifica datos',
    argumentsDiffer: 'Estos no son los argumentos que mostraba la llamada',
    argumentsPending: 'Todavía están llegando los argumentos',
    allow: {
      any: 'Permitir',
      once: 'Permitir una vez',
      session: 'Permitir en esta sesión',
      always: 'Permitir siempre',
      other: (scope) => `Permitir: ${scope}`,
    },
    deny: 'Denegar',
    addReason: 'Añadir un motivo',
    reasonForDenying: 'Motivo de la denegación',
    allowed: {
      any: 'Permitida',
      once: 'Permitida una vez',
      session: 'Permitida en esta sesión',
      always: 'Permitida siempre',
      other: (scope) => `Permitida: ${scope}`,
    },
    answerSending: 'enviando…',
    answerSent: 'enviada, a la espera de confirmación',
    answerFailed: 'Su respuesta no se envió',
    answerUnconfirmed: 'No se sabe si su respuesta llegó',
    answeredElsewhere: 'respondida en otro lugar',
    answersConflict: 'Se dieron dos respuestas distintas',
    requestWithdrawn: 'Solicitud retirada; ya no hace falta responder',
    requestExpired: 'Venció sin respuesta',
    expiresIn: (time) => `vence en ${time}`,
    requests: 'Solicitudes',
    position: (position, total) => `${number(position)} de ${number(total)}`,
    previousRequest: 'Solicitud anterior',
    nextRequest: 'Solicitud siguiente',
    showRequest: 'Ver la solicitud',
    showCall: 'Ver la llamada',
    dismiss: 'Descartar',

    timeLeft: (time) => `tiempo restante ${time}`,
    overdue: (time) => `retraso de ${time}`,

    exitCode: (code) => `código de salida ${code}`,
    endedBySignal: (signal) => `terminado por ${signal}`,

    subAgent: 'subagente',
    subAgentCalls: 'Llamadas de subagentes',
    calls: things('llamada', 'llamadas'),
    callsByStatus: {
      pending: count({ one: '# pendiente', other: '# pendientes' }),
      waiting: count({ other: '# esperando su respuesta' }),
      running: count({ other: '# en curso' }),
      done: count({ one: '# completada', other: '# completadas' }),
      error: count({ one: '# fallida', other: '# fallidas' }),
      aborted: count({ one: '# interrumpida', other: '# interrumpidas' }),
      denied: count({ one: '# denegada', other: '# denegadas' }),
      unknown: count({ other: '# en estado desconocido' }),
    },

    needsYou: (name) => `${name}: requiere su decisión`,

    run: {
      planReady: 'Plan listo',
      approval: 'Aprobación',
      commit: 'Confirmación de cambios',
      step: 'Paso',
      state: {
        pending: 'Sin empezar',
        running: 'En ejecución',
        waiting: 'A la espera de su respuesta',
        blocked: 'Bloqueado',
        done: 'Completado',
        failed: 'Fallido',
        unreported: 'No se informó del final',
      },
      stages: {
        retrieving: 'recuperando',
        reranking: 'reordenando',
        waiting_provider: 'esperando al proveedor',
        reconciling: 'conciliando',
      },
      inProgress: 'en curso',
      count: (done, total) => `${number(done)} de ${number(total)}`,
      onlyReads: 'solo lee',
      effectUnknown: 'no se sabe si modifica datos',
      now: 'Ahora:',
      confirmed: 'Confirmado:',
      next: 'A continuación:',
      nothingConfirmed: 'nada todavía',
      moreSteps: count({ other: 'y # más' }),
      sampled: 'Progreso muestreado',
      paused: 'En pausa',
      quiet: (duration) => `Sin noticias desde hace ${duration}`,
      droppedSteps: count({
        one: 'se descartó # evento anterior',
        many: 'se descartaron # de eventos anteriores',
        other: 'se descartaron # eventos anteriores',
      }),
      files: 'Archivos',
      sources: 'Fuentes',
      sha256: 'Huella SHA-256',
      download: 'Descargar',
      preview: 'Vista previa',
      closePreview: 'Cerrar vista previa',
      noDownload: 'Ahora no se puede descargar',
      noPreview: 'Ahora no se puede mostrar',
      receipt: { receipt: 'Recibo', confirmation: 'Confirmación', draft: 'Borrador', artifact: 'Archivo' },
      noReceipt: 'No se entregó ningún recibo',
      mayHaveHappened: 'Puede que se haya realizado o puede que no: compruébelo antes de volver a intentarlo.',
      unknownSince: (time) => `Se desconoce desde las ${time}`,
      checkAgain: 'Comprobar de nuevo',
      checking: 'Comprobando…',
      checkFailed: 'No se pudo comprobar',
      firstEvent: 'Primer evento',
      firstResult: 'Primer resultado',
      ended: 'Final',
      disconnects: things('desconexión', 'desconexiones'),
      resumes: things('reanudación', 'reanudaciones'),
    },

    replay: {
      controls: 'Reproducción',
      play: 'Reproducir',
      pause: 'Pausar',
      stepBack: 'Un paso atrás',
      stepOn: 'Un paso adelante',
      moment: 'Momento de la grabación',
      momentOf: (time, duration) => `${time} de ${duration}`,
      speed: 'Velocidad',
      times: (factor) => `${number(factor)}×`,
      immediate: 'Sin esperas',
      empty: 'Esta grabación está vacía',
      newerVersion: 'La grabación es de una versión más reciente: puede que no se muestre todo',
      cutOff: 'La grabación se interrumpe',
      unreadableLines: count({
        one: '# línea de la grabación no se pudo leer por completo',
        many: '# de líneas de la grabación no se pudieron leer por completo',
        other: '# líneas de la grabación no se pudieron leer por completo',
      }),
    },

    started: (name) => `${name}: iniciada`,
    ended: (name, outcome) => `${name}: ${outcome}`,

    seconds: (seconds) => `${seconds} s`,
    minutesSeconds: (minutes, seconds) => `${minutes} min ${seconds} s`,
    hoursMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
  }
}

/** The words in Spanish. */
export const es = spanishFor('es')
