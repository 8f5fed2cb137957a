/**
 * The target of a link (OSC 8) if it may be shown as one, else '' (H2): http, https or mailto, without spaces, control
 * or invisible characters or backslashes, and without a user name before the host, behind which another host could hide.
 */
export function checkedLink(target: string): string {
  return allowed.test(target) && !/^https?:\/\/[^/?#]*@/i.test(target) ? target : ''
}

const allowed = /^(?:https?:\/\/[^/?#\s]|mailto:)[^\s\\\p{C}]*$/iu
