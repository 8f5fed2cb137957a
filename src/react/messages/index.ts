export { en } from './en.js'
export { defaultMessages, type Messages, messagesFor, type ScopeWords } from './messages.js'
export { ru } from './ru.js'
export { zhCN } from './zhCN.js'
