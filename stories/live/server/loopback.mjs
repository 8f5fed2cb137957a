// @ts-check

/** Whether a page comes from this machine. @param {string | undefined} origin Absent when it is not a browser that asks. */
export function isLoopback(origin) {
  return origin === undefined || /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}
