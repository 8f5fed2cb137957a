/** What the scheduler works for: a log that is shown. */
export interface Scheduled {
  /** It is in sight, or nearly. Others are neither drawn nor, while little is pending, worked off. */
  readonly isNear: boolean
  /** UTF-16 units of output that wait to be worked off. */
  readonly pendingLength: number
  /** Works off what is pending for about so long. Returns whether something is left. */
  work(budgetMs: number): boolean
  /** Shows what has changed, working for about so long before. Returns whether something is left to be worked off. */
  draw(budgetMs: number): boolean
  /** Scrolls to where it was drawn: after all were drawn, since the browser lays everything out for it. */
  scroll(): void
  /** Learns how large it is: before any is drawn, for the same reason. */
  readSize(): void
}

/** Work in a frame, for all logs together, and in one idle slice, in ms. */
const frameBudgetMs = 4
const idleBudgetMs = 8
/** After a change, and at most so long in a row, the work waits for more to come, in ms. */
const busyMs = 20
const maxBusyMs = 500
/** So much may wait in a log out of sight, in UTF-16 units. */
const maxWaiting = 1_000_000
/**
 * Output that has come without a pause for so long is drawn this seldom, in ms: with every second frame at 60 Hz. Nobody
 * reads as fast, and it halves the work.
 */
const streamAfterMs = 150
const streamMs = 25
const pauseMs = 50

let toDraw = new Set<Scheduled>()
const toWork = new Set<Scheduled>()
let frame: number | undefined
let isIdleAsked = false
let hasChanged = false
let changedAt = -Infinity
let workedAt = -Infinity
let drawnAt = -Infinity
let streamsSince = -Infinity
/** Something is to be drawn that does not come from the output, but from the reader or the page. */
let isUrgent = false

/** Has a log drawn with the next frame, together with all others that changed until then. */
export function requestDraw(view: Scheduled): void {
  isUrgent = true
  drawSoon(view)
}

function drawSoon(view: Scheduled): void {
  toDraw.add(view)
  frame ??= requestAnimationFrame(drawAll)
}

/** Tells that a log has got something. */
export function noteChange(view: Scheduled): void {
  hasChanged = true
  if (view.isNear) drawSoon(view)
  else if (view.pendingLength > maxWaiting) requestWork(view)
}

/** Has what is pending in a log worked off when the page has nothing else to do. */
export function requestWork(view: Scheduled): void {
  toWork.add(view)
  askIdle()
}

/** Forgets a log that is gone. */
export function unschedule(view: Scheduled): void {
  toDraw.delete(view)
  toWork.delete(view)
}

function drawAll(time: number): void {
  frame = undefined
  if (time - drawnAt > pauseMs) streamsSince = time
  if (!isUrgent && time - drawnAt < streamMs && time - streamsSince > streamAfterMs) {
    frame = requestAnimationFrame(drawAll)
    return
  }
  isUrgent = false
  drawnAt = time
  const views = [...toDraw].filter(({ isNear }) => isNear)
  // What asks to be drawn from here on is drawn with the next frame.
  toDraw = new Set()
  show(views)
}

function show(views: readonly Scheduled[]): void {
  for (const view of views) if (view.draw(frameBudgetMs / views.length)) requestWork(view)
  for (const view of views) view.scroll()
}

let first: Scheduled[] | undefined

/** Draws a log that was just mounted: the first at once, all others of the same commit together behind it. */
export function drawFirst(view: Scheduled): void {
  if (first !== undefined) {
    first.push(view)
    return
  }
  const others: Scheduled[] = []
  first = others
  queueMicrotask(() => {
    first = undefined
    for (const each of others) each.readSize()
    show(others)
  })
  view.readSize()
  show([view])
}

function workAll(timeRemaining: number): void {
  isIdleAsked = false
  // Between the parts of output that is just coming in nobody is idle, whatever the browser says.
  if (hasChanged) changedAt = performance.now()
  hasChanged = false
  if (performance.now() - changedAt < busyMs && performance.now() - workedAt < maxBusyMs) {
    isIdleAsked = true
    setTimeout(() => {
      isIdleAsked = false
      if (toWork.size > 0) askIdle()
    }, busyMs)
    return
  }
  workedAt = performance.now()
  const budget = Math.min(idleBudgetMs, Math.max(1, timeRemaining))
  const until = performance.now() + budget
  for (const view of toWork) {
    // The others have their turn next time.
    toWork.delete(view)
    const isLeft = view.work(Math.max(1, until - performance.now()))
    if (view.isNear) drawSoon(view)
    if (isLeft) toWork.add(view)
    if (performance.now() >= until) break
  }
  if (toWork.size > 0) askIdle()
}

function askIdle(): void {
  if (isIdleAsked) return
  isIdleAsked = true
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback((deadline) => workAll(deadline.didTimeout ? frameBudgetMs : deadline.timeRemaining()), {
      timeout: 100,
    })
  } else setTimeout(() => workAll(idleBudgetMs), 16)
}
