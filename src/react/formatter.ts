import { isCalendarTime } from '../core/index.js'
import type { Messages } from '../messages/messages.js'

/** Writes durations, sizes and times in one language; `?` for what is no number, and for times that no calendar has. */
export interface Formatter {
  /**
   * A duration in ms, rounded down: `0.4 s` or, whole, `0 s`; from one minute `1 min 12 s`; from one hour `1 h 2 min`.
   * Below zero it is zero.
   */
  duration(ms: number, precision: 'tenths' | 'whole'): string
  /** A time that is counted down or up, in ms, as `0:42` or `1:02:03`, rounded down. Below zero it is zero. */
  countdown(ms: number): string
  /** A size in bytes: `482 B`, `48.2 kB`, `1.2 MB`; kilo is 1,000. */
  bytes(count: number): string
  /** A time in ms since 1970 as the reader's clock shows it: `12:03:04`. */
  timeOfDay(ms: number): string
}

/** Makes a formatter. @throws a RangeError when `locale` is not a BCP 47 language tag. */
export function createFormatter(locale: string, messages: Messages): Formatter {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const twoDigits = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, minimumIntegerDigits: 2 })
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const sizes = (['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const).map(
    (unit) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'narrow' : 'short',
        maximumFractionDigits: 1,
      }),
  )
  return {
    bytes(count) {
      if (!(Math.abs(count) <= Number.MAX_SAFE_INTEGER)) return '?'
      // From where one decimal is rounded up to the next unit.
      const unit = [999.5, 999_950, 999_950_000].filter((limit) => count >= limit).length
      return (sizes[unit] as Intl.NumberFormat).format(count / 1_000 ** unit)
    },
    duration(ms, precision) {
      if (!isCalendarTime(ms)) return '?'
      const seconds = Math.max(0, Math.floor(ms / 1000))
      const minutes = Math.floor(seconds / 60)
      const hours = Math.floor(minutes / 60)
      if (hours > 0) return messages.hoursMinutes(whole.format(hours), whole.format(minutes % 60))
      if (minutes > 0) return messages.minutesSeconds(whole.format(minutes), whole.format(seconds % 60))
      if (precision === 'whole') return messages.seconds(whole.format(seconds))
      return messages.seconds(tenths.format(Math.max(0, Math.floor(ms / 100) / 10)))
    },
    countdown(ms) {
      if (!isCalendarTime(ms)) return '?'
      const seconds = Math.max(0, Math.floor(ms / 1000))
      const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
      const head = hours > 0 ? `${whole.format(hours)}:${twoDigits.format(minutes)}` : whole.format(minutes)
      return `${head}:${twoDigits.format(seconds % 60)}`
    },
    timeOfDay: (ms) => (isCalendarTime(ms) ? time.format(ms) : '?'),
  }
}
