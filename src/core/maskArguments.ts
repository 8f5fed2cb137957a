import type { IsMasked } from './partialJson.js'

/**
 * Which values of arguments are masked wherever they would be shown, copied or recorded: by the names of their keys,
 * anywhere (`token`) or as a path from the top (`auth.password`), in any case; or by a function of that path, whose []
 * is all of the arguments. Places in arrays are not part of a path. Arguments that have no keys are masked by the
 * function only.
 */
export type MaskArguments = readonly string[] | ((path: readonly string[]) => boolean)

/** One function for both forms. What a host's function throws is told to `onError`, and masks the value. */
export function toIsMasked(
  maskArguments: MaskArguments | undefined,
  onError: (error: unknown) => void,
): IsMasked | undefined {
  if (maskArguments === undefined) return undefined
  if (typeof maskArguments !== 'function') {
    const names = new Set(maskArguments.map((name) => name.toLowerCase()))
    return (path) => names.has((path.at(-1) ?? '').toLowerCase()) || names.has(path.join('.').toLowerCase())
  }
  return (path) => {
    try {
      return maskArguments(path)
    } catch (error) {
      onError(error)
      return true
    }
  }
}
