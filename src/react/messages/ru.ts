import { counted } from './counted.js'
import type { Messages } from './messages.js'

const count = counted('ru')
const number = count({ other: '#' })
const kilobytes = count({ other: 'блок размером # КБ не показан' })

/** The words in Russian. */
export const ru: Messages = {
  toolCall: 'Вызов инструмента',
  status: {
    pending: 'В очереди',
    waiting: 'Ждёт вас',
    running: 'Выполняется',
    done: 'Готово',
    error: 'Ошибка',
    aborted: 'Прервано',
    denied: 'Отклонено',
    unknown: 'Неизвестно',
  },
  calling: 'Вызов…',
  loadingArguments: 'загрузка аргументов…',
  titleRunning: {
    command: (argument) => `Выполняется: ${argument}`,
    query: (argument) => `Идёт поиск: ${argument}`,
    url: (argument) => `Открывается: ${argument}`,
  },
  titleEnded: {
    command: (argument) => `Выполнено: ${argument}`,
    query: (argument) => `Поиск завершён: ${argument}`,
    url: (argument) => `Открыто: ${argument}`,
  },
  modeLive: 'Сейчас',
  modeReplay: 'Запись',

  outcome: {
    done: 'Итоговое значение',
    error: 'Ошибка',
    aborted: 'Прервано',
    denied: 'Отклонено',
    unknown: 'Исход неизвестен',
  },
  endedWithoutResult: 'Завершилось без результата',
  outcomeUnknownHint: 'Неизвестно, чем всё закончилось.',
  unknownCause: {
    connection_closed: 'Соединение закрыто раньше, чем пришёл результат.',
    session_ended: 'Сеанс завершился раньше, чем пришёл результат.',
  },
  noValue: 'Значение не передано',
  emptyText: '(пустой текст)',
  callerRecorded: 'У вызывающей стороны записано:',

  arguments: 'Аргументы',
  argumentsCutOff: 'Здесь аргументы обрываются',
  argumentsBroken: count({ other: 'С символа № # это не JSON, показано как пришло' }),
  masked: 'скрыто',
  process: (position) => (position === undefined ? 'Процесс' : `Процесс ${position}`),
  processEnded: (position) => (position === undefined ? 'Процесс завершён' : `Процесс ${position} завершён`),
  blocks: count({ one: '# блок', few: '# блока', other: '# блоков' }),
  noEndReported: 'о завершении не сообщалось',
  droppedBlocks: count({
    one: 'удалён # более ранний блок',
    few: 'удалены # более ранних блока',
    other: 'удалено # более ранних блоков',
  }),
  numberingSkips: count({
    one: 'в нумерации пропущен # номер',
    few: 'в нумерации пропущено # номера',
    other: 'в нумерации пропущено # номеров',
  }),
  interruption: (lost, back) =>
    back === undefined
      ? `связи нет с ${lost}, часть блоков может отсутствовать`
      : `связи не было ${lost}–${back}, часть блоков может отсутствовать`,
  newerMessages: count({
    one: '# сообщение имеет более новую версию',
    few: '# сообщения имеют более новую версию',
    other: '# сообщений имеют более новую версию',
  }),
  waiting: 'Ожидание первого блока…',
  noDetails: 'Подробностей процесса нет',
  nothingKnown: 'Об этом вызове пока ничего не известно',
  noLongerKept: 'Этот вызов больше не хранится',

  thinking: 'Размышляет…',
  thought: 'Размышление',
  thoughtFor: (duration) => `Размышление: ${duration}`,
  errorLine: 'Ошибка',
  blockLeftOut: (size) => kilobytes(Math.ceil(size / 1024)),
  unnamedTool: 'инструмент',

  outputOf: (tool) => (tool === undefined ? 'Вывод' : `Вывод ${tool}`),
  lines: count({ one: '# строка', few: '# строки', other: '# строк' }),
  newLines: count({ one: '# новая строка', few: '# новые строки', other: '# новых строк' }),
  droppedLines: count({
    one: '# более ранняя строка больше не хранится',
    few: '# более ранние строки больше не хранятся',
    other: '# более ранних строк больше не хранятся',
  }),
  moreCharacters: count({ one: 'ещё # символ', few: 'ещё # символа', other: 'ещё # символов' }),
  fullScreenOutput: count({
    one: 'полноэкранная программа вывела # символ, он не показан',
    few: 'полноэкранная программа вывела # символа, они не показаны',
    other: 'полноэкранная программа вывела # символов, они не показаны',
  }),
  refusedChunks: count({
    one: '# часть вывода пришла слишком поздно',
    few: '# части вывода пришли слишком поздно',
    other: '# частей вывода пришли слишком поздно',
  }),
  search: 'Найти',
  searchFor: 'Поиск в выводе',
  wrap: 'Переносить',
  save: 'Сохранить',
  previousMatch: 'Предыдущее совпадение',
  nextMatch: 'Следующее совпадение',
  closeSearch: 'Закрыть поиск',
  caseSensitive: 'Учитывать регистр',
  regularExpression: 'Регулярное выражение',
  invalidExpression: 'Не регулярное выражение',
  matches: (current, found, isCapped) =>
    found === 0 ? 'Нет совпадений' : `${current > 0 ? number(current) : '–'} из ${number(found)}${isCapped ? '+' : ''}`,

  copy: 'Копировать',
  copied: 'Скопировано',
  copyFailed: 'Не скопировано',
  showAllLines: count({
    one: 'Показать всё (# строка)',
    few: 'Показать всё (# строки)',
    other: 'Показать всё (# строк)',
  }),
  showAllCharacters: count({
    one: 'Показать всё (# символ)',
    few: 'Показать всё (# символа)',
    other: 'Показать всё (# символов)',
  }),
  showMore: count({ other: 'Показать ещё #' }),
  showEarlier: count({ one: 'Показать # предыдущий', other: 'Показать # предыдущих' }),
  showLess: 'Свернуть',
  entries: count({ one: '# элемент', few: '# элемента', other: '# элементов' }),

  wantsToRun: (tool, agent, server) =>
    `${agent === undefined ? 'Агент' : `Субагент ${agent}`} просит разрешения запустить ${tool}${
      server === undefined ? '' : ` через ${server}`
    }.`,
  changesData: 'изменяет данные',
  argumentsDiffer: 'Аргументы не те, что были показаны в вызове',
  argumentsPending: 'Аргументы ещё поступают',
  allow: {
    any: 'Разрешить',
    once: 'Разрешить один раз',
    session: 'Разрешить на этот сеанс',
    always: 'Разрешать всегда',
    other: (scope) => `Разрешить: ${scope}`,
  },
  deny: 'Отклонить',
  addReason: 'Указать причину',
  reasonForDenying: 'Причина отказа',
  allowed: {
    any: 'Разрешено',
    once: 'Разрешено один раз',
    session: 'Разрешено на этот сеанс',
    always: 'Разрешено всегда',
    other: (scope) => `Разрешено: ${scope}`,
  },
  answerSending: 'отправляется…',
  answerSent: 'отправлено, ждёт подтверждения',
  answerFailed: 'Ответ не отправлен',
  answeredElsewhere: 'ответ дан в другом месте',
  answersConflict: 'Даны два разных ответа',
  requestWithdrawn: 'Запрос отозван, ответ больше не нужен',
  requestExpired: 'Срок истёк, ответа не было',
  expiresIn: (time) => `истекает через ${time}`,
  requests: 'Запросы',
  position: (position, total) => `${number(position)} из ${number(total)}`,
  previousRequest: 'Предыдущий запрос',
  nextRequest: 'Следующий запрос',
  showRequest: 'Показать запрос',
  showCall: 'Показать вызов',
  dismiss: 'Скрыть',

  timeLeft: (time) => `осталось ${time}`,
  overdue: (time) => `просрочено на ${time}`,

  exitCode: (code) => `код выхода ${code}`,
  endedBySignal: (signal) => `завершено сигналом ${signal}`,

  subAgentCalls: 'Вызовы субагентов',
  calls: count({ one: '# вызов', few: '# вызова', other: '# вызовов' }),
  callsByStatus: {
    pending: count({ other: '# в очереди' }),
    waiting: count({ one: '# ждёт вас', other: '# ждут вас' }),
    running: count({ one: '# выполняется', other: '# выполняются' }),
    done: count({ one: '# готов', other: '# готовы' }),
    error: count({ one: '# с ошибкой', other: '# с ошибками' }),
    aborted: count({ one: '# прерван', other: '# прерваны' }),
    denied: count({ one: '# отклонён', other: '# отклонены' }),
    unknown: count({ one: '# с неизвестным исходом', other: '# с неизвестным исходом' }),
  },

  needsYou: (name) => `${name}: нужно ваше решение`,
  started: (name) => `${name}: начато`,
  ended: (name, outcome) => `${name}: ${outcome}`,

  seconds: (seconds) => `${seconds} с`,
  minutesSeconds: (minutes, seconds) => `${minutes} мин ${seconds} с`,
  hoursMinutes: (hours, minutes) => `${hours} ч ${minutes} мин`,
}
