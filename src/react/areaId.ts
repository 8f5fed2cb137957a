/** An element id for a call's area: the provider's prefix, then the call's id with what an id may not hold written out. */
export function areaId(prefix: string, callId: string): string {
  return `${prefix}area-${callId.replace(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)}`
}
