'use client'
import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Player, PlayerSpeed } from '../replay/index.js'
import { useProvider } from './providerContext.js'

/** What a replay bar takes. */
export interface ReplayBarProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** What it controls. Its store is that of the provider around. */
  readonly player: Player
}

const speeds: readonly PlayerSpeed[] = [0.5, 1, 2, 4, 8, 16, 'immediate']

/** How far keys go on the slider, as shares of the whole; from left to right. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowRight: 0.01,
  ArrowDown: -0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
}
/** Of a recording that is shorter than this a hundredth is less than a second, in ms. */
const shortMs = 100_000

/**
 * Controls a recording that is played: play and pause, one step back or on, the moment on a slider, and the speed; it
 * says what of the recording could not be read. All of it works with the keyboard: the slider goes by a hundredth with
 * the arrow keys, and by a tenth with page up and down. While the slider is held, time stands still. Fits the mode slot of
 * a detail area (A12), and any other place inside a provider. Renders a `<span>` with the role `group`.
 */
export const ReplayBar = forwardRef<HTMLSpanElement, ReplayBarProps>(function ReplayBar({ player, ...props }, ref) {
  const { messages, formatter } = useProvider('ReplayBar')
  const { time, position, playing, speed } = useSyncExternalStore(player.subscribe, player.getState, player.getState)
  const { replay } = messages
  const [at, all] = [formatter.duration(time, 'whole'), formatter.duration(player.duration, 'whole')]
  const isAtEnd = position === player.length
  const hold = useHold(player)
  // What is said while it plays is not to change with each frame.
  const precision = playing || player.duration >= shortMs ? 'whole' : 'tenths'
  const said = replay.momentOf(formatter.duration(time, precision), formatter.duration(player.duration, precision))
  return (
    <span
      aria-label={replay.controls}
      {...props}
      ref={ref}
      role="group"
      data-slot="tool-call-replay"
      data-playing={playing || undefined}
    >
      <Button label={playing ? replay.pause : replay.play} onClick={playing ? player.pause : player.play}>
        {playing ? <path d="M5.5 3.5v9M10.5 3.5v9" /> : <path d="M5 3.2v9.6L12.5 8Z" />}
      </Button>
      <Button label={replay.stepBack} disabled={position === 0} onClick={() => player.step(-1)}>
        <path d="M4.5 3.5v9M11.5 3.8v8.4L6.8 8Z" />
      </Button>
      <Button label={replay.stepOn} disabled={isAtEnd} onClick={() => player.step()}>
        <path d="M11.5 3.5v9M4.5 3.8v8.4L9.2 8Z" />
      </Button>
      <input
        type="range"
        data-slot="tool-call-replay-moment"
        aria-label={replay.moment}
        aria-valuetext={said}
        min={0}
        max={player.duration}
        step="any"
        value={time}
        onPointerDown={hold}
        onKeyDown={(event) => seekByKey(player, event)}
        onChange={({ currentTarget }) => player.seek(currentTarget.valueAsNumber)}
      />
      <bdi data-slot="tool-call-replay-time">{replay.momentOf(at, all)}</bdi>
      <select
        data-slot="tool-call-replay-speed"
        aria-label={replay.speed}
        value={speed}
        onChange={({ currentTarget: { value } }) => player.setSpeed(speeds.find((each) => String(each) === value) ?? 1)}
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each === 'immediate' ? replay.immediate : replay.times(each)}
          </option>
        ))}
      </select>
      <Problems player={player} />
    </span>
  )
})

/** By hand: browsers do not agree on how far a key goes, and go in steps from the beginning, and not from where it stands. */
function seekByKey(player: Player, event: KeyboardEvent) {
  const { key, currentTarget } = event
  const step = keySteps[key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const isMirrored = /Left|Right/.test(key) && getComputedStyle(currentTarget).direction === 'rtl'
  player.seek(player.getState().time + (isMirrored ? -step : step) * player.duration)
}

/** Has a player that plays wait from the call of what it returns until the pointer is let go. */
function useHold(player: Player) {
  /** Where the slider is that is held: the pointer may be let go anywhere there. */
  const [held, setHeld] = useState<Document>()

  useEffect(() => {
    if (held === undefined) return undefined
    const release = () => {
      setHeld(undefined)
      // At its end it would begin anew.
      if (player.getState().time < player.duration) player.play()
    }
    held.addEventListener('pointerup', release)
    held.addEventListener('pointercancel', release)
    return () => {
      held.removeEventListener('pointerup', release)
      held.removeEventListener('pointercancel', release)
    }
  }, [held, player])

  return ({ button, currentTarget }: PointerEvent) => {
    if (button !== 0 || !player.getState().playing) return
    player.pause()
    setHeld(currentTarget.ownerDocument)
  }
}

interface ButtonProps {
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
  readonly children: ReactElement
}

/** A disabled one keeps the focus, so that a reader who steps to the end is not thrown out. */
function Button({ label, disabled = false, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      data-slot="tool-call-replay-button"
      aria-label={label}
      title={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <svg data-slot="tool-call-shape" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {children}
      </svg>
    </button>
  )
}

/** What of the recording could not be read. */
function Problems({ player }: { readonly player: Player }) {
  const { replay } = useProvider('ReplayBar').messages
  const has = (kind: string) => player.problems.some((problem) => problem.kind === kind)
  const lines = new Set(
    player.problems.filter(({ kind }) => !['newer_version', 'cut_off'].includes(kind)).map(({ line }) => line),
  )
  if (player.problems.length === 0 && player.length > 0) return null
  return (
    <span data-slot="tool-call-replay-problems">
      {player.length === 0 && <span>{replay.empty}</span>}
      {has('newer_version') && <span>{replay.newerVersion}</span>}
      {has('cut_off') && <span>{replay.cutOff}</span>}
      {lines.size > 0 && <span>{replay.unreadableLines(lines.size)}</span>}
    </span>
  )
}
