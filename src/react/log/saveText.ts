/** Gives a text to the reader as a file. The parts need not be joined, so that a great text is not held twice. */
export function saveText(parts: readonly string[], fileName: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  // Nothing but letters, digits and the like, so that no system reads more into it.
  link.download = fileName.replace(/[^\p{L}\p{N}._-]+/gu, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
