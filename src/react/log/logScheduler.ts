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
}

/** Work in a frame, for all logs together, and in one idle slice, in ms. */
const frameBudgetMs = 4
const idleBudgetMs = 8
/** So much may wait in a log out of sight, in UTF-16 units. */
const maxWaiting = 1_000_000

let toDraw = new Set<Scheduled>()
const toWork = new Set<Scheduled>()
let frame: number | undefined
let isIdleAsked = false

/** Has a log drawn with the next frame, together with all others that changed until then. */
export function requestDraw(view: Scheduled): void {
  toDraw.add(view)
  frame ??= requestAnimationFrame(drawAll)
}

/** Tells that a log has got something. */
export function noteChange(view: Scheduled): void {
  if (view.isNear) requestDraw(view)
  else if (view.pendingLength > maxWaiting) requestWork(view)
}

/** Has what is pending in a log worked off when the page has nothing else to do. */
export function requestWork(view: Scheduled): void {
  toWork.add(view)
  if (isIdleAsked) return
  isIdleAsked = true
  whenIdle(workAll)
}

/** Forgets a log that is gone. */
export function unschedule(view: Scheduled): void {
  toDraw.delete(view)
  toWork.delete(view)
}

function drawAll(): void {
  frame = undefined
  const views = [...toDraw].filter(({ isNear }) => isNear)
  // What asks to be drawn from here on is drawn with the next frame.
  toDraw = new Set()
  for (const view of views) if (view.draw(frameBudgetMs / views.length)) requestWork(view)
}

function workAll(timeRemaining: number): void {
  isIdleAsked = false
  const budget = Math.min(idleBudgetMs, Math.max(1, timeRemaining))
  const until = performance.now() + budget
  for (const view of toWork) {
    // The others have their turn next time.
    toWork.delete(view)
    const isLeft = view.work(Math.max(1, until - performance.now()))
    if (view.isNear) requestDraw(view)
    if (isLeft) toWork.add(view)
    if (performance.now() >= until) break
  }
  if (toWork.size > 0 && !isIdleAsked) {
    isIdleAsked = true
    whenIdle(workAll)
  }
}

function whenIdle(work: (timeRemaining: number) => void): void {
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback((deadline) => work(deadline.timeRemaining()), { timeout: 100 })
  } else setTimeout(() => work(idleBudgetMs), 16)
}
