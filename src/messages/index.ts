/**
 * The public entry `tool-call-detail/messages`: the words in the languages that come with the library, each of which a
 * host may import alone. English comes with the components.
 */
export { ar, arabicFor } from './ar.js'
export { es, spanishFor } from './es.js'
export { messagesFor } from './messagesFor.js'
export { ru } from './ru.js'
export { zhCN } from './zhCN.js'
