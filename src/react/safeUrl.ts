/**
 * The address where it is one that may be opened or shown: http, https or blob, on its own or taken from the page's; else
 * undefined (H2).
 */
export function safeUrl(address: unknown): string | undefined {
  if (typeof address !== 'string' || address === '' || !URL.canParse(address, document.baseURI)) return undefined
  const { href, protocol, username } = new URL(address, document.baseURI)
  // Behind a user's name another host could hide.
  return ['http:', 'https:', 'blob:'].includes(protocol) && username === '' ? href : undefined
}
