import { ar, arabicFor } from './ar.js'
import { en } from './en.js'
import { es, spanishFor } from './es.js'
import type { Messages } from './messages.js'
import { ru } from './ru.js'
import { zhCN } from './zhCN.js'

/** Languages whose regions write numbers in more than one way: `ar-EG` with other digits than `ar`. */
const regional = new Map([
  ['ar', arabicFor],
  ['es', spanishFor],
])
const made = new Map<string, Messages>([
  ['ar', ar],
  ['es', es],
])

/**
 * The words for a BCP 47 language tag: Arabic for any `ar`, Chinese for any `zh`, Russian for any `ru`, Spanish for any
 * `es`, English for all others. The same tag gives the same object. Brings all languages with it: a host that knows its
 * languages imports those alone.
 */
export function messagesFor(locale: string): Messages {
  const [language = ''] = locale.toLowerCase().split('-')
  const words = made.get(locale) ?? regional.get(language)?.(locale)
  if (words === undefined) return language === 'zh' ? zhCN : language === 'ru' ? ru : en
  made.set(locale, words)
  return words
}
